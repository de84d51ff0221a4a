//! Lists the message files, so that a language is added by adding its file.

use std::path::PathBuf;
use std::{env, fs};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=locales");
    let folder = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("locales");
    let mut files: Vec<PathBuf> = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<_, std::io::Error>>()?;
    files.sort();
    let lines = files.iter().filter_map(|path| {
        let tag = path.file_stem()?.to_str()?;
        Some(format!("    ({tag:?}, include_str!({:?})),\n", path.to_str()?))
    });
    let list: String = lines.collect();
    let code = format!("pub const LOCALES: &[(&str, &str)] = &[\n{list}];\n");
    Ok(fs::write(PathBuf::from(env::var("OUT_DIR")?).join("locales.rs"), code)?)
}
