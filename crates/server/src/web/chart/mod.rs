//! Charts as SVG text, drawn on the server: plain data in, markup out. Every mark carries its words and its value in a `<title>`;
//! colours, line styles and letter sizes are the stylesheet's. The same figures stand in a table below each chart.

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
pub use lines::{Point, Series, lines};
pub use share::{Part, share_bar};
