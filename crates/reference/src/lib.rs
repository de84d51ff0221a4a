//! Facts built into the program: which shares and funds are listed where, and the European Central Bank's exchange rates. They
//! count until better data arrives. `make.py` writes the data, and `README.md` names its sources.

mod listings;
mod rates;

use std::io::Read;

use flate2::read::ZlibDecoder;

pub use listings::{Listing, Listings};
pub use rates::EcbRates;

/// Unpacked when first used.
#[derive(Debug)]
pub struct Reference {
    pub listings: Listings,
    pub rates: EcbRates,
}

/// What is built into this program.
pub static REFERENCE: Reference = Reference {
    listings: Listings::new(include_bytes!("../data/listings.z")),
    rates: EcbRates::new(include_bytes!("../data/rates.z")),
};

/// A test unpacks everything, so nothing that is built in can be damaged.
fn unpack(packed: &[u8]) -> String {
    let mut text = String::new();
    if ZlibDecoder::new(packed).read_to_string(&mut text).is_err() {
        text.clear();
    }
    text
}
