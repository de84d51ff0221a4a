//! A table of figures, for a terminal or in Markdown.

use ledger::Decimal;

pub struct Table {
    title: String,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub fn new(title: &str, header: &[&str]) -> Table {
        Table { title: title.to_owned(), rows: vec![header.iter().map(|&cell| cell.to_owned()).collect()] }
    }

    pub fn row(&mut self, label: String, cells: Vec<String>) {
        self.rows.push([vec![label], cells].concat());
    }

    /// The first column to the left, the others to the right.
    pub fn text(&self) -> String {
        let width = |column: usize| self.rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..self.rows[0].len()).map(width).collect();
        let line = |row: &Vec<String>| {
            let cells = row.iter().zip(&widths).enumerate();
            let padded =
                cells.map(|(at, (cell, &width))| if at == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") });
            padded.collect::<Vec<_>>().join("  ")
        };
        format!("{}\n{}", self.title, self.rows.iter().map(line).collect::<Vec<_>>().join("\n"))
    }

    pub fn markdown(&self) -> String {
        let mut lines: Vec<String> = self.rows.iter().map(|row| format!("| {} |", row.join(" | "))).collect();
        lines.insert(1, format!("|---|{}", "---:|".repeat(self.rows[0].len() - 1)));
        format!("### {}\n\n{}", self.title, lines.join("\n"))
    }
}

/// With commas: 10,000.
pub fn count(number: usize) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> = digits.as_bytes().rchunks(3).rev().filter_map(|group| std::str::from_utf8(group).ok()).collect();
    groups.join(",")
}

/// In percent, with one decimal.
pub fn share(part: usize, whole: usize) -> String {
    let fraction = Decimal::from(part).checked_div(Decimal::from(whole));
    fraction.map_or("–".to_owned(), in_percent)
}

/// An error without a figure is infinite, unless nothing was measured.
pub fn percent(error: Option<Decimal>, measured: usize) -> String {
    match error {
        Some(error) => in_percent(error),
        None if measured == 0 => "–".to_owned(),
        None => "∞".to_owned(),
    }
}

fn in_percent(fraction: Decimal) -> String {
    fraction.checked_mul(Decimal::ONE_HUNDRED).map_or("∞".to_owned(), |percent| format!("{:.1}", percent.round_dp(1)))
}
