//! The JSON file. Numbers are read from their text, never through a binary float.

use std::borrow::Cow;
use std::collections::HashMap;

use ledger::Decimal;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::activity::{Activity, read};
use crate::reading::{Decimals, fields, figure, json};
use crate::rows::Rows;
use crate::{Parsed, Reason};

pub fn detect(text: &str) -> bool {
    let text = text.trim_start();
    let has = |name: &str| text.contains(&format!("\"{name}\""));
    let of_activities = has("unitPrice") && has("quantity") && has("symbol");
    match text.chars().next() {
        Some('{') => has("activities") && (of_activities || has("meta")) || has("orders") && of_activities,
        Some('[') => of_activities && has("type") && has("dataSource"),
        _ => false,
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Export<'a> {
    /// The former name of activities.
    #[serde(borrow)]
    orders: Option<Vec<&'a RawValue>>,
    activities: Option<Vec<&'a RawValue>>,
    accounts: Option<&'a RawValue>,
    asset_profiles: Option<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Raw<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<&'a RawValue>,
    date: Option<&'a RawValue>,
    symbol: Option<&'a RawValue>,
    data_source: Option<&'a RawValue>,
    currency: Option<&'a RawValue>,
    quantity: Option<&'a RawValue>,
    unit_price: Option<&'a RawValue>,
    fee: Option<&'a RawValue>,
    account_id: Option<&'a RawValue>,
    comment: Option<&'a RawValue>,
    id: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Account {
    id: String,
    name: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Profile {
    data_source: String,
    symbol: String,
    name: Option<String>,
    isin: Option<String>,
    cusip: Option<String>,
}

pub fn parse(text: &str) -> Parsed {
    let bare = text.trim_start().starts_with('[');
    let export = match bare {
        true => serde_json::from_str(text).map(|activities| Export {
            orders: None,
            activities: Some(activities),
            accounts: None,
            asset_profiles: None,
        }),
        false => serde_json::from_str::<Export<'_>>(text),
    };
    let export = match export {
        Ok(export) => export,
        Err(error) => return Parsed::refused(error.line() as u64, Reason::JsonMalformed),
    };
    let Some(activities) = export.activities.or(export.orders) else {
        return Parsed::refused(1, Reason::ListMissing { list: "activities" });
    };
    let (accounts, profiles) = (accounts(export.accounts), profiles(export.asset_profiles));
    let mut rows = Rows::default();
    let lines = json::lines_of(text, &activities);
    for (number, (raw, line)) in activities.iter().zip(lines).enumerate() {
        let read = activity(raw, line, &accounts, &profiles).and_then(|activity| read(&activity));
        rows.add(line, read.map_err(|reason| Reason::InActivity { number: number + 1, reason: reason.into() }));
    }
    rows.finish()
}

/// Names by id; a list in another format has none.
fn accounts(raw: Option<&RawValue>) -> HashMap<String, String> {
    let accounts = raw.and_then(|raw| serde_json::from_str::<Vec<Account>>(raw.get()).ok()).unwrap_or_default();
    accounts.into_iter().map(|account| (account.id, account.name)).collect()
}

fn profiles(raw: Option<&RawValue>) -> HashMap<(String, String), Profile> {
    let profiles = raw.and_then(|raw| serde_json::from_str::<Vec<Profile>>(raw.get()).ok()).unwrap_or_default();
    profiles.into_iter().map(|profile| ((profile.data_source.clone(), profile.symbol.clone()), profile)).collect()
}

fn activity<'a>(
    raw: &'a RawValue,
    line: u64,
    accounts: &HashMap<String, String>,
    profiles: &HashMap<(String, String), Profile>,
) -> Result<Activity<'a>, Reason> {
    let raw: Raw<'a> = serde_json::from_str(raw.get()).map_err(|_| Reason::NotAnActivity)?;
    let (source, symbol) = (text(raw.data_source)?, text(raw.symbol)?);
    let profile =
        source.clone().zip(symbol.clone()).and_then(|(source, symbol)| profiles.get(&(source.into_owned(), symbol.into_owned())));
    Ok(Activity {
        line,
        kind: text(raw.kind)?,
        date: text(raw.date)?,
        currency: text(raw.currency)?,
        quantity: number("quantity", raw.quantity)?,
        price: number("unitPrice", raw.unit_price)?,
        fee: number("fee", raw.fee)?,
        account: text(raw.account_id)?.and_then(|id| accounts.get(id.as_ref()).cloned()),
        comment: text(raw.comment)?,
        id: text(raw.id)?,
        name: profile.and_then(|profile| profile.name.clone()),
        isin: profile.and_then(|profile| profile.isin.clone()),
        cusip: profile.and_then(|profile| profile.cusip.clone()),
        source,
        symbol,
        in_table: false,
    })
}

/// A string without its quotes, anything else as it is written.
fn text(raw: Option<&RawValue>) -> Result<Option<Cow<'_, str>>, Reason> {
    let Some(raw) = raw.map(RawValue::get).filter(|raw| *raw != "null") else { return Ok(None) };
    let text = match raw.starts_with('"') {
        true => Cow::Owned(serde_json::from_str::<String>(raw).map_err(|_| Reason::NotAnActivity)?),
        false => Cow::Borrowed(raw),
    };
    Ok(Some(text).filter(|text| !text.trim().is_empty()))
}

fn number(name: &str, raw: Option<&RawValue>) -> Result<Option<Decimal>, Reason> {
    let Some(text) = text(raw)? else { return Ok(None) };
    let fraction = text.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    // Computed numbers have the digits of a binary float: those beyond our precision are meaningless.
    if fraction > fields::DECIMALS_MAX as usize || text.contains(['e', 'E']) {
        let worked_out = text.parse::<Decimal>().or_else(|_| Decimal::from_scientific(&text)).ok();
        if let Some(worked_out) = worked_out.filter(|figure| figure.abs() < Decimal::new(1_000_000_000_000, 0)) {
            return Ok(Some(worked_out.round_dp(fields::DECIMALS_MAX)));
        }
    }
    figure(name, &text, Decimals::Point).map(Some)
}
