//! Lines over time with the area below them, such as a projection before and after tax.

use super::frame::{Frame, WIDTH};
use super::legend::legend;
use super::svg::{self, Tenths, length};
use rust_decimal::Decimal;

pub struct Series {
    pub name: String,
    /// `"gross"`, `"net"`, or `"s1"` to `"s4"`.
    pub class: &'static str,
    /// One per position on the axis, in order. The first series labels the axis.
    pub points: Vec<Point>,
}

pub struct Point {
    pub label: String,
    pub title: String,
    pub value: Decimal,
}

/// A range around the lines: its name, and the low and high end at each position.
pub struct Band {
    pub name: String,
    pub ends: Vec<(Decimal, Decimal)>,
}

/// With more than one series, the chart begins with a legend.
pub fn lines(id: &str, caption: &str, series: &[Series], band: Option<&Band>, tick: impl Fn(Decimal) -> String) -> String {
    let ends = || band.iter().flat_map(|band| &band.ends);
    let values = series.iter().flat_map(|series| &series.points).map(|point| point.value);
    let frame = Frame::new(values.chain(ends().map(|(_, high)| *high)), tick);
    let places = series.iter().map(|series| series.points.len()).max().unwrap_or(0);
    let paths: Vec<_> = series.iter().map(|series| (series, path(&frame, &series.points, places))).collect();
    let mut body = String::new();
    if band.is_some() {
        let end = |(index, value): (usize, Decimal)| (middle(&frame, index, places), frame.y(value));
        let low = ends().map(|(low, _)| *low).enumerate().map(end);
        let high: Vec<_> = ends().map(|(_, high)| *high).enumerate().map(end).collect();
        let corners: Vec<_> = low.chain(high.into_iter().rev()).collect();
        body += &format!(r#"<polygon class="band" points="{}"/>"#, corner_list(&corners));
    }
    // Areas and lines first: a point covered by another series' area would lose its tooltip.
    body.extend(paths.iter().map(|(series, path)| area(&frame, series.class, path)));
    body.extend(paths.iter().map(|(series, path)| stroke(series.class, path)));
    body.extend(
        paths.iter().flat_map(|(series, path)| series.points.iter().zip(path).map(|(point, at)| dot(series, point, *at))),
    );
    if let Some(first) = series.first() {
        body += &frame.labels(&first.points.iter().map(|point| point.label.as_str()).collect::<Vec<_>>());
    }
    let picture = frame.picture(id, "lines", caption, &body);
    let mut names: Vec<_> = series.iter().map(|series| (series.class, series.name.as_str())).collect();
    names.extend(band.map(|band| ("band", band.name.as_str())));
    if names.len() > 1 { legend(&names) + &picture } else { picture }
}

fn path(frame: &Frame, points: &[Point], places: usize) -> Vec<(Tenths, Tenths)> {
    points.iter().enumerate().map(|(index, point)| (middle(frame, index, places), frame.y(point.value))).collect()
}

/// The middle of a column.
fn middle(frame: &Frame, index: usize, places: usize) -> Tenths {
    let (x, width) = frame.slot(index, places);
    (x + width / 2).min(WIDTH)
}

fn area(frame: &Frame, class: &str, path: &[(Tenths, Tenths)]) -> String {
    let (Some(first), Some(last)) = (path.first(), path.last()) else { return String::new() };
    let base = frame.y(Decimal::ZERO);
    let corners = [&[(first.0, base)], path, &[(last.0, base)]].concat();
    format!(r#"<polygon class="area {class}" points="{}"/>"#, corner_list(&corners))
}

fn stroke(class: &str, path: &[(Tenths, Tenths)]) -> String {
    if path.len() < 2 { String::new() } else { format!(r#"<polyline class="line {class}" points="{}"/>"#, corner_list(path)) }
}

fn dot(series: &Series, point: &Point, (x, y): (Tenths, Tenths)) -> String {
    let (x, y) = (length(x), length(y));
    let circle = |class: &str, radius: &str| format!(r#"<circle class="{class}" cx="{x}" cy="{y}" r="{radius}"/>"#);
    svg::mark(&point.title, &(circle("hit", "7") + &circle(&format!("dot {}", series.class), "2.5")))
}

fn corner_list(path: &[(Tenths, Tenths)]) -> String {
    path.iter().map(|(x, y)| format!("{},{}", length(*x), length(*y))).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(class: &'static str, values: &[i64]) -> Series {
        let point = |value: &i64| Point { label: "2027".into(), title: format!("{class} <{value}>"), value: (*value).into() };
        Series { name: class.into(), class, points: values.iter().map(point).collect() }
    }

    fn drawn(list: &[Series]) -> String {
        lines("l", "Projection", list, None, |value| value.to_string())
    }

    #[test]
    fn a_line_goes_through_the_middle_of_each_column_at_its_value() {
        // Columns 38 to 259 and 259 to 480: middles at 148.5 and 369.5. 50 of 100 is at 107, 100 at 22; the area ends at 192.
        let svg = drawn(&[series("gross", &[50, 100])]);
        assert!(svg.contains(r#"<polyline class="line gross" points="148.5,107 369.5,22"/>"#), "{svg}");
        assert!(svg.contains(r#"<polygon class="area gross" points="148.5,192 148.5,107 369.5,22 369.5,192"/>"#), "{svg}");
        assert!(svg.contains(r#"<circle class="dot gross" cx="148.5" cy="107" r="2.5"/>"#), "{svg}");
        assert!(svg.contains("<title>gross &lt;50&gt;</title>"));
    }

    #[test]
    fn a_band_lies_between_its_low_and_high_ends_and_sets_the_scale() {
        // The axis ends at 100: 40 of 100 is at 124, 80 at 56; 60 and 100 at 90 and 22.
        let band = Band { name: "Likely".into(), ends: vec![(40.into(), 80.into()), (60.into(), 100.into())] };
        let svg = lines("l", "Projection", &[series("gross", &[50, 80])], Some(&band), |value| value.to_string());
        assert!(svg.contains(r#"<polygon class="band" points="148.5,124 369.5,90 369.5,22 148.5,56"/>"#), "{svg}");
        assert!(svg.contains("</svg>Likely</li>"));
    }

    #[test]
    fn points_are_drawn_above_every_area() {
        let svg = drawn(&[series("gross", &[50, 100]), series("net", &[40, 80])]);
        assert!(svg.rfind("<polygon").unwrap() < svg.find("<circle").unwrap());
    }

    #[test]
    fn two_series_have_a_legend_and_one_has_none() {
        let two = drawn(&[series("gross", &[50]), series("net", &[40])]);
        assert!(
            two.starts_with(r#"<ul class="legend">"#) && two.contains("</svg>gross</li>") && two.contains("</svg>net</li>"),
            "{two}"
        );
        assert!(drawn(&[series("net", &[40])]).starts_with("<svg"));
    }

    #[test]
    fn one_point_is_a_dot_and_no_points_are_a_baseline() {
        assert!(!drawn(&[series("net", &[5])]).contains("polyline"));
        for empty in [vec![], vec![series("net", &[])]] {
            let svg = drawn(&empty);
            assert!(svg.contains(r#"class="base""#) && !svg.contains("circle"), "{svg}");
        }
    }
}
