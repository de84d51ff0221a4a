//! What charts with axes share: the plot area, grid lines with their values, and labels below.

use super::scale::Scale;
use super::svg::{self, Canvas, Tenths};
use rust_decimal::Decimal;

/// Narrow, because a phone shows the chart about 300 pixels wide and the text must stay readable.
pub const WIDTH: Tenths = 4800;
const HEIGHT: Tenths = 2200;
pub const TOP: Tenths = 220;
pub const BOTTOM: Tenths = 1920;
const LABELS: Tenths = 2130;
/// The width of a letter when the chart is narrow (large text) and when it is wide (small text).
const LETTER: Tenths = 100;
const LETTER_WIDE: Tenths = 65;
const GAP: Tenths = 80;

pub struct Frame {
    scale: Scale,
    ticks: Vec<(Decimal, String)>,
    pub left: Tenths,
}

impl Frame {
    pub fn new(values: impl Iterator<Item = Decimal>, tick: impl Fn(Decimal) -> String) -> Frame {
        let scale = Scale::over(values);
        let ticks: Vec<_> = scale.ticks().into_iter().map(|value| (value, tick(value))).collect();
        let longest = ticks.iter().map(|(_, words)| letters(words)).max().unwrap_or(0);
        Frame { scale, ticks, left: (longest * LETTER + GAP).min(WIDTH / 4) }
    }

    pub fn y(&self, value: Decimal) -> Tenths {
        BOTTOM - self.scale.height(value, BOTTOM - TOP)
    }

    /// The column of one of `count` marks: its start and width.
    pub fn slot(&self, index: usize, count: usize) -> (Tenths, Tenths) {
        let (index, count) = (tenths(index), tenths(count.max(1)));
        let edge = |index| self.left + (WIDTH - self.left) * index / count;
        (edge(index), edge(index + 1) - edge(index))
    }

    /// Tick labels are in the margin beside their lines, so no mark ever covers them.
    pub fn grid(&self) -> String {
        let drawn = self.ticks.iter().map(|(value, words)| {
            let y = self.y(*value);
            let class = if value.is_zero() { "base" } else { "grid" };
            svg::line(class, (0, y), (WIDTH, y)) + &svg::text("tick", (0, y - 40), "start", words)
        });
        drawn.collect()
    }

    /// Leaves out labels that would overlap. Some of the others only fit when the text is small.
    pub fn labels(&self, labels: &[&str]) -> String {
        let count = labels.len();
        let longest = labels.iter().map(|label| letters(label)).max().unwrap_or(0);
        let every = |letter| (longest * letter + GAP / 2) * tenths(count) / (WIDTH - self.left) + 1;
        let wide = every(LETTER_WIDE);
        let narrow = (every(LETTER) + wide - 1) / wide * wide;
        let shown = labels.iter().enumerate().filter(|(index, _)| tenths(*index) % wide == 0);
        shown.map(|(index, label)| self.label(label, index, count, tenths(index) % narrow != 0)).collect()
    }

    fn label(&self, label: &str, index: usize, count: usize, only_wide: bool) -> String {
        let (x, width) = self.slot(index, count);
        let middle = x + width / 2;
        let class = if only_wide { "label wide" } else { "label" };
        let over = middle + letters(label) * LETTER / 2 > WIDTH;
        let (x, anchor) = if over { (WIDTH, "end") } else { (middle, "middle") };
        svg::text(class, (x, LABELS), anchor, label)
    }

    pub fn picture(&self, id: &str, kind: &'static str, caption: &str, body: &str) -> String {
        let canvas = Canvas { kind, width: WIDTH, height: HEIGHT, stretches: false };
        svg::picture(id, &canvas, caption, &(self.grid() + body))
    }
}

fn letters(text: &str) -> Tenths {
    tenths(text.chars().count())
}

fn tenths(count: usize) -> Tenths {
    Tenths::try_from(count).unwrap_or(Tenths::MAX / WIDTH)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(values: &[i64]) -> Frame {
        Frame::new(values.iter().map(|value| Decimal::from(*value)), |value| value.to_string())
    }

    #[test]
    fn the_margin_is_as_wide_as_the_longest_tick() {
        // Ticks 0 to 100: three letters of 10 and a gap of 8 make 38.
        assert_eq!(frame(&[100]).left, 380);
    }

    #[test]
    fn the_highest_tick_is_at_the_top_and_zero_on_the_bottom_line() {
        // 170 units between 22 and 192: 50 of 100 is at 107.
        let frame = frame(&[100]);
        assert_eq!([100, 50, 0].map(|value| frame.y(Decimal::from(value))), [220, 1070, 1920]);
        let grid = frame.grid();
        assert!(
            grid.contains(r#"<line class="grid" x1="0" y1="107" x2="480" y2="107"/><text class="tick" x="0" y="103""#),
            "{grid}"
        );
        assert_eq!(grid.matches(r#"class="base""#).count(), 1);
    }

    #[test]
    fn columns_fill_the_width_without_a_gap_or_an_overlap() {
        let frame = frame(&[100]);
        for count in [1, 7, 12, 60] {
            let columns: Vec<_> = (0..count).map(|index| frame.slot(index, count)).collect();
            assert!(columns.windows(2).all(|two| two[0].0 + two[0].1 == two[1].0));
            assert_eq!((columns[0].0, columns[count - 1].0 + columns[count - 1].1), (380, WIDTH));
        }
    }

    #[test]
    fn a_label_at_the_edge_stays_inside_the_chart() {
        // The middle of the eleventh of eleven years is at 459.9, and 2036 in large text needs 20 to its right.
        let years = frame(&[100]).labels(&["2036"; 11]);
        assert!(years.contains(r#"x="459.9" y="213" text-anchor="middle""#), "{years}");
        // Of 21 years, the last is at 469.5.
        let years = frame(&[100]).labels(&["2046"; 21]);
        assert!(years.contains(r#"x="480" y="213" text-anchor="end""#), "{years}");
    }

    #[test]
    fn sixty_labels_are_thinned_and_twelve_are_not() {
        let twelve = frame(&[100]).labels(&["Jan"; 12]);
        assert_eq!((twelve.matches("<text").count(), twelve.matches("wide").count()), (12, 0));
        // Each of the 60 columns has 7.4 of 442 units. A year takes 4 × 6.5 + 4 = 30 in small text, so every fifth is shown (12
        // in total). In large text it takes 4 × 10 + 4 = 44, which would be every sixth, so every second of those, that is every
        // tenth, is shown (6 in total).
        let sixty = frame(&[100]).labels(&["2026"; 60]);
        assert_eq!((sixty.matches("<text").count(), sixty.matches("wide").count()), (12, 6));
    }
}
