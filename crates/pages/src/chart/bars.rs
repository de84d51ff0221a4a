//! One bar per month or year on a baseline, optionally with a line for the average.

use super::frame::{BOTTOM, Frame, TOP, WIDTH};
use super::svg::{self, Tenths};
use rust_decimal::Decimal;
use std::iter::once;

pub struct Bar {
    /// The short label below the axis.
    pub label: String,
    /// The tooltip: full label and value.
    pub title: String,
    pub value: Decimal,
    /// `""`, `"thin"`, `"empty"`, `"estimated"`, `"future"`; in groups also `"s1"` to `"s4"`.
    pub class: &'static str,
}

/// `average` is a value and the tooltip of its line.
pub fn bars(
    id: &str,
    caption: &str,
    bars: &[Bar],
    tick: impl Fn(Decimal) -> String,
    average: Option<(Decimal, String)>,
) -> String {
    let values = bars.iter().map(|bar| bar.value);
    let frame = Frame::new(values.chain(average.iter().map(|(value, _)| *value)), tick);
    let mut body = String::new();
    for (index, bar) in bars.iter().enumerate() {
        let (x, width) = frame.slot(index, bars.len());
        let column = svg::rect("hit", (x, TOP), (width, BOTTOM - TOP), 0);
        let thick = (width * 7 / 10).min(360);
        body += &svg::mark(&bar.title, &(column + &upright(&frame, bar, x + (width - thick) / 2, thick)));
    }
    body += &frame.labels(&bars.iter().map(|bar| bar.label.as_str()).collect::<Vec<_>>());
    if let Some((value, words)) = &average {
        body += &level(&frame, *value, words);
    }
    frame.picture(id, "bars", caption, &body)
}

/// Upwards from the baseline, or downwards for a loss. A zero is drawn as a sliver, so that it is visible.
pub fn upright(frame: &Frame, bar: &Bar, x: Tenths, width: Tenths) -> String {
    let (base, end) = (frame.y(Decimal::ZERO), frame.y(bar.value));
    let class = once("bar").chain(once(bar.class)).chain(bar.value.is_zero().then_some("zero")).filter(|class| !class.is_empty());
    let height = (base - end).abs().max(15);
    let y = if bar.value < Decimal::ZERO { base } else { base - height };
    svg::rect(&class.collect::<Vec<_>>().join(" "), (x, y), (width, height), (width / 8).min(20))
}

fn level(frame: &Frame, value: Decimal, words: &str) -> String {
    let y = frame.y(value);
    svg::mark(words, &svg::line("average", (frame.left, y), (WIDTH, y)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bar(label: &str, value: i64) -> Bar {
        Bar { label: label.into(), title: format!("{label}: {value}"), value: value.into(), class: "" }
    }

    fn drawn(list: &[Bar]) -> String {
        bars("b", "Income", list, |value| value.to_string(), None)
    }

    #[test]
    fn a_bar_reaches_from_the_baseline_to_its_value() {
        // The left margin is 38, so two columns have 221 each; bars are at most 36 wide and centred: 38 + (221 - 36) / 2 = 130.5.
        // 50 of 100 is 85 of 170 units above 192.
        let svg = drawn(&[bar("Jan", 50), bar("Feb", 100)]);
        assert!(svg.contains(r#"<title>Jan: 50</title>"#));
        assert!(svg.contains(r#"<rect class="bar" x="130.5" y="107" width="36" height="85" rx="2"/>"#), "{svg}");
        assert!(svg.contains(r#"y="22" width="36" height="170""#), "{svg}");
    }

    #[test]
    fn twelve_bars_fill_seven_tenths_of_their_columns() {
        // A twelfth of 442 is 36.8: the bar takes 25.7 of it and starts half of the rest, 5.5, after 38.
        let svg = drawn(&[(); 12].map(|()| bar("Jan", 100)));
        assert!(svg.contains(r#"<rect class="bar" x="43.5" y="22" width="25.7" height="170" rx="2"/>"#), "{svg}");
    }

    #[test]
    fn a_negative_bar_hangs_below_the_baseline() {
        // From -50 to 100, zero is at 192 - 170/3 = 135.3, and -30 is 30/150 of 170 = 34 further down.
        let svg = drawn(&[bar("Jan", -30), bar("Feb", 100)]);
        assert!(svg.contains(r#"y="135.3" width="36" height="34""#), "{svg}");
        assert!(svg.contains(r#"<line class="base" x1="0" y1="135.3""#), "{svg}");
    }

    #[test]
    fn an_empty_or_zero_chart_has_only_a_baseline() {
        assert_eq!(drawn(&[]).matches("<line").count(), 1);
        let svg = drawn(&[bar("Jan", 0)]);
        assert!(svg.contains(r#"<line class="base""#), "{svg}");
        assert!(svg.contains(r#"<rect class="bar zero" x="231" y="190.5" width="36" height="1.5" rx="2"/>"#), "{svg}");
    }

    #[test]
    fn the_average_is_a_labelled_line_across_the_chart() {
        let svg = bars("b", "Income", &[bar("Jan", 100)], |v| v.to_string(), Some((50.into(), "Average 50".into())));
        assert!(svg.contains(r#"<line class="average" x1="38" y1="107" x2="480" y2="107"/>"#), "{svg}");
        assert!(svg.contains("<title>Average 50</title>"));
    }

    #[test]
    fn labels_are_escaped_as_text() {
        let svg = drawn(&[Bar { class: "future", ..bar("<i>", 1) }]);
        assert!(
            svg.contains("<title>&lt;i&gt;: 1</title>") && svg.contains(">&lt;i&gt;</text>") && !svg.contains("<i>"),
            "{svg}"
        );
        assert!(svg.contains(r#"class="bar future""#));
    }
}
