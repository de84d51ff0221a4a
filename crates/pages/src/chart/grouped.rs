//! Bars side by side in groups: the months of a year, each comparing two to four years.

use super::bars::{Bar, upright};
use super::frame::{BOTTOM, Frame, TOP};
use super::svg;
use rust_decimal::Decimal;

pub struct Group {
    pub label: String,
    /// In the same order in every group; `None` leaves a gap.
    pub bars: Vec<Option<Bar>>,
}

pub fn grouped(id: &str, caption: &str, groups: &[Group], tick: impl Fn(Decimal) -> String) -> String {
    let frame = Frame::new(groups.iter().flat_map(|group| group.bars.iter().flatten()).map(|bar| bar.value), tick);
    let mut body = String::new();
    for (index, group) in groups.iter().enumerate() {
        body += &side_by_side(&frame, group, frame.slot(index, groups.len()));
    }
    body += &frame.labels(&groups.iter().map(|group| group.label.as_str()).collect::<Vec<_>>());
    frame.picture(id, "grouped", caption, &body)
}

/// A tenth of the column is free on either side.
fn side_by_side(frame: &Frame, group: &Group, (x, width): (i64, i64)) -> String {
    let count = i64::try_from(group.bars.len()).unwrap_or(1).max(1);
    let (start, room) = (x + width / 10, width - width / 5);
    let edge = |index: i64| start + room * index / count;
    let drawn = group.bars.iter().zip(0..).filter_map(|(bar, index)| {
        let bar = bar.as_ref()?;
        let (left, right) = (edge(index), edge(index + 1));
        let column = svg::rect("hit", (left, TOP), (right - left, BOTTOM - TOP), 0);
        Some(svg::mark(&bar.title, &(column + &upright(frame, bar, left, (right - left - 5).max(5)))))
    });
    drawn.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bar(value: i64, class: &'static str) -> Option<Bar> {
        Some(Bar { label: String::new(), title: format!("{class} {value}"), value: value.into(), class })
    }

    #[test]
    fn years_are_drawn_side_by_side_within_their_month() {
        let months = [
            Group { label: "Jan".into(), bars: vec![bar(50, "s1"), bar(100, "s2")] },
            Group { label: "Feb".into(), bars: vec![bar(0, "s1"), bar(25, "s2")] },
        ];
        let svg = grouped("g", "By month", &months, |value| value.to_string());
        // The first column is 38 to 259: 22.1 is free on the left (60.1), and each year has 88.4 of 221 - 44.2 = 176.8, half a
        // unit of it a gap.
        assert!(svg.contains(r#"<rect class="bar s1" x="60.1" y="107" width="87.9" height="85" rx="2"/>"#), "{svg}");
        assert!(svg.contains(r#"<rect class="bar s2" x="148.5" y="22" width="87.9" height="170" rx="2"/>"#), "{svg}");
        assert_eq!(svg.matches(r#"<g class="mark">"#).count(), 4);
    }

    #[test]
    fn a_future_month_has_no_bar_but_keeps_its_place() {
        let months = [
            Group { label: "Jan".into(), bars: vec![bar(50, "s1"), bar(0, "s2")] },
            Group { label: "Feb".into(), bars: vec![None, bar(100, "s2")] },
        ];
        let svg = grouped("g", "By month", &months, |value| value.to_string());
        assert_eq!(svg.matches(r#"<g class="mark">"#).count(), 3);
        // The second column is 259 to 480: 22.1 free (281.1), the first year's 88.4, then the second year.
        assert!(svg.contains(r#"<rect class="bar s2" x="369.5" y="22""#), "{svg}");
    }

    #[test]
    fn a_grouped_chart_without_bars_has_only_a_baseline() {
        for months in [vec![], vec![Group { label: "Jan".into(), bars: vec![] }]] {
            let svg = grouped("g", "By month", &months, |value| value.to_string());
            assert!(svg.contains(r#"class="base""#) && !svg.contains("mark"), "{svg}");
        }
    }
}
