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
fn unpack(packed: &[u8]) -> Vec<u8> {
    let mut unpacked = Vec::new();
    if ZlibDecoder::new(packed).read_to_end(&mut unpacked).is_err() {
        unpacked.clear();
    }
    unpacked
}

fn unpack_text(packed: &[u8]) -> String {
    String::from_utf8(unpack(packed)).unwrap_or_default()
}
