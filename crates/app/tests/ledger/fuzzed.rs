//! What the fuzz targets check for any bytes, here for sample input.

#[path = "../../../../fuzz/properties/searches.rs"]
mod searches;
#[path = "../../../../fuzz/properties/snapshots.rs"]
mod snapshots;

#[test]
fn the_fuzzed_properties_hold_for_sample_input() {
    searches::search("KO|Coca-Cola\nSAN.MC|Banco Santander\n^GSPC|\nÄ|ä\n|x", "co");
    snapshots::snapshot(&[3, 0]);
}
