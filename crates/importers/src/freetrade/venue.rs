//! Exchange names in orders.

use crate::reading::suffix_of_mic;

/// The suffix of that exchange in our own notation; `None` for an order filled at several.
pub fn suffix(venue: &str) -> Option<&'static str> {
    let venue = venue.to_lowercase();
    VENUES.iter().find(|(name, _)| venue.contains(name)).and_then(|(_, mic)| suffix_of_mic(mic))
}

/// Exchanges by a part of their name; longer names come before those that they contain.
const VENUES: &[(&str, &str)] = &[
    ("london stock exchange", "XLON"),
    ("new york stock exchange", "XNYS"),
    ("nyse", "XNYS"),
    ("drivewealth", "XNYS"),
    ("xetra", "XETR"),
    ("amsterdam", "XAMS"),
    ("paris", "XPAR"),
    ("brussels", "XBRU"),
    ("lisbon", "XLIS"),
    ("helsinki", "XHEL"),
    ("stockholm", "XSTO"),
    ("copenhagen", "XCSE"),
    ("vienna", "XWBO"),
    ("madrid", "XMAD"),
    ("milan", "XMIL"),
    ("nasdaq", "XNAS"),
];
