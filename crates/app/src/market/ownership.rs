//! Files together with providers: which one a figure comes from if both have it.

use std::collections::HashMap;

use jiff::Timestamp;
use store::stocks::{self, Stock};
use store::{Tx, provenance};

use crate::stocks::listed;
use crate::{App, Error};

#[derive(Clone, Copy)]
pub(super) enum FilesOrigin {
    /// Replaces what the files contain.
    ByCommand,
    /// Follows the operator's order of preference; has the time when the files were written.
    ByWatch(Timestamp),
}

impl FilesOrigin {
    /// The order of preference between the files (`None`) and providers.
    pub fn rank(self, app: &App, provider: Option<&str>) -> usize {
        match self {
            FilesOrigin::ByCommand => usize::from(provider.is_some()),
            FilesOrigin::ByWatch(_) => app.sources().rank(provider),
        }
    }

    /// Whether a provider's value stays although the files have one too.
    fn yields_to(self, app: &App, provider: Option<&str>) -> bool {
        self.rank(app, provider) < self.rank(app, None)
    }
}

/// Values in the files become the operator's; values that the files leave empty and a provider had given stay.
pub(super) async fn keep_owned(app: &App, tx: &mut Tx, rows: &mut [Stock], origin: FilesOrigin) -> Result<(), Error> {
    let provided = provenance::symbols(tx).await?;
    for row in rows.iter_mut().filter(|row| provided.contains(&row.symbol)) {
        let Some(before) = stocks::by_symbol(tx, &row.symbol).await? else { continue };
        let owners = provenance::of_symbol(tx, &row.symbol).await?;
        let owned: HashMap<&str, &str> = owners.iter().map(|one| (one.field.as_str(), one.provider.as_str())).collect();
        let yields = |field: &str| origin.yields_to(app, owned.get(field).copied());
        let mut taken: Vec<&str> = vec![listed::CURRENCY];
        macro_rules! keep {
            ($($field:ident $name:literal),*) => {
                $(if row.$field.is_some() && !yields($name) { taken.push($name) }
                    else if owned.contains_key($name) { row.$field = before.$field; })*
            };
        }
        // The newer of two prices counts, as between providers.
        let older = matches!(origin, FilesOrigin::ByWatch(_)) && row.price_as_of < before.price_as_of;
        if (row.price.is_none() || older) && owned.contains_key("price") {
            (row.price, row.price_as_of) = (before.price, before.price_as_of);
        } else {
            taken.push("price");
        }
        keep!(name "name", exchange "exchange", kind "type", isin "isin", country "country", sector "sector",
            industry "industry", instrument_type "instrument_type", forward_rate "forward_rate",
            payout_ratio "payout_ratio", fcf_cover "fcf_cover", pe "pe", ma50 "ma50", ma200 "ma200", low52 "low52",
            high52 "high52", yield_avg_5y_pct "yield_avg_5y_pct");
        provenance::remove(tx, &row.symbol, &taken).await?;
    }
    Ok(())
}

/// A price without a time is dated now or, if it is unchanged, as before.
pub(super) async fn date_prices(tx: &mut Tx, rows: &mut [Stock], now: i64) -> Result<(), Error> {
    for row in rows.iter_mut().filter(|row| row.price.is_some() && row.price_as_of.is_none()) {
        let before = stocks::by_symbol(tx, &row.symbol).await?.filter(|before| before.price == row.price);
        row.price_as_of = before.and_then(|before| before.price_as_of).or(Some(now));
    }
    Ok(())
}
