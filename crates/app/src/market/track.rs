//! Stocks that the operator tracks, whether or not somebody holds them.

use store::WriteLock;
use store::{stocks, versions};

use crate::stocks::symbol_lookup;
use crate::{App, Error, refusal};

/// All of the symbols or none: an unknown one is reported.
pub async fn set_tracked(app: &App, symbols: &[String], tracked: bool) -> Result<(), Error> {
    let symbols: Vec<String> = symbols.iter().map(|symbol| symbol.trim().to_uppercase()).collect();
    if tracked {
        symbol_lookup::ensure_known(app, &symbols, None).await?;
    }
    let symbols: Vec<&str> = symbols.iter().map(String::as_str).collect();
    let mut tx = app.store.write_in(WriteLock::Market).await?;
    let known = stocks::known(&mut tx, &symbols).await?;
    if let Some(stranger) = symbols.iter().find(|symbol| !known.contains(**symbol)) {
        return Err(refusal::Lookup::Unknown { symbol: (*stranger).to_owned() }.into());
    }
    stocks::set_tracked(&mut tx, &symbols, tracked).await?;
    versions::bump_tracking(&mut tx).await?;
    Ok(tx.commit().await?)
}
