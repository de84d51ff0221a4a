//! Parts of a whole as one bar, left to right.

use super::frame::WIDTH;
use super::legend::legend;
use super::scale::{limited, to_tenths};
use super::svg::{self, Canvas, Tenths};
use rust_decimal::Decimal;

pub struct Part {
    pub name: String,
    /// The tooltip: full label, value and share.
    pub title: String,
    pub value: Decimal,
    /// `"p1"` to `"p8"`, or `"rest"`.
    pub class: &'static str,
}

const HEIGHT: Tenths = 200;
const CANVAS: Canvas = Canvas { kind: "share", width: WIDTH, height: HEIGHT, stretches: true };
const GAP: Tenths = 15;

/// The bar and a legend of its parts. Parts at or below zero have no width and are left out; the table still has them.
pub fn share_bar(id: &str, caption: &str, parts: &[Part]) -> String {
    let parts: Vec<_> = parts.iter().filter(|part| part.value > Decimal::ZERO).collect();
    let total: Decimal = parts.iter().map(|part| limited(part.value)).sum();
    let mut body = String::new();
    let (mut sum, mut left) = (Decimal::ZERO, 0);
    for part in &parts {
        sum += limited(part.value);
        let right = to_tenths(sum / total * Decimal::from(WIDTH + GAP));
        let width = (right - left - GAP).max(5);
        body += &svg::mark(&part.title, &svg::rect(&format!("part {}", part.class), (left, 0), (width, HEIGHT), 0));
        left = right;
    }
    if parts.is_empty() {
        body = svg::rect("part none", (0, 0), (WIDTH, HEIGHT), 0);
    }
    let names: Vec<_> = parts.iter().map(|part| (part.class, part.name.as_str())).collect();
    svg::picture(id, &CANVAS, caption, &body) + &legend(&names)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(name: &str, value: Decimal) -> Part {
        Part { name: name.into(), title: format!("{name} & co"), value, class: "p1" }
    }

    #[test]
    fn parts_are_as_wide_as_their_share_and_fill_the_bar() {
        // 480 plus one gap of 1.5 is 481.5. Three quarters are 361.125, rounded to 361.1, minus the gap 359.6. The rest ends at
        // 480.
        let svg = share_bar("s", "Sectors", &[part("Energy", 75.into()), part("Health", 25.into())]);
        assert!(svg.contains(r#"<rect class="part p1" x="0" y="0" width="359.6" height="20"/>"#), "{svg}");
        assert!(svg.contains(r#"x="361.1" y="0" width="118.9""#), "{svg}");
        assert!(svg.contains("<title>Energy &amp; co</title>") && svg.contains("</svg>Health</li>"));
    }

    #[test]
    fn a_share_bar_without_positive_values_is_empty() {
        let svg = share_bar("s", "Sectors", &[part("Energy", Decimal::ZERO), part("Debt", Decimal::NEGATIVE_ONE)]);
        assert!(svg.contains(r#"class="part none" x="0" y="0" width="480""#) && !svg.contains("mark"), "{svg}");
    }

    #[test]
    fn the_largest_values_do_not_overflow() {
        let svg = share_bar("s", "Sectors", &[part("A", Decimal::MAX), part("B", Decimal::MAX)]);
        assert_eq!(svg.matches(r#"<g class="mark">"#).count(), 2);
    }
}
