//! Charts as SVG, drawn on the server from plain data. Every mark has a `<title>` with its label and value; colours, line styles
//! and text sizes are in the stylesheet. A table below each chart has the same figures.

mod bars;
mod frame;
mod grouped;
mod legend;
mod lines;
mod scale;
mod share;
mod svg;

pub use bars::{Bar, bars};
pub use grouped::{Group, grouped};
pub use legend::legend;
pub use lines::{Band, Point, Series, lines};
pub use share::{Part, share_bar};
