//! New entries that a user recorded by hand.

use importers::Record;
use ledger::Currency;
use store::entries::Entry;
use uuid::Uuid;

use crate::import::identity;

pub(super) fn fresh(sequence: i64, portfolio_id: Uuid, record: Record, symbol: String, currency: Currency) -> Entry {
    let gross_known = record.is_gross_known();
    by_hand(Entry {
        sequence,
        portfolio_id,
        date: record.date,
        kind: record.kind,
        symbol,
        isin: None,
        name: None,
        shares: record.shares,
        price: record.price,
        amount: record.amount,
        fees: record.fees,
        tax: record.tax,
        net: record.net,
        currency,
        fx_rate: record.fx_rate,
        ratio: record.ratio,
        ex_date: record.ex_date,
        source: String::new(),
        identity: String::new(),
        source_id: None,
        import_id: None,
        gross_known,
        note: record.note,
        reinvests: None,
    })
}

pub(super) fn by_hand(entry: Entry) -> Entry {
    with_new_id(entry, super::BY_HAND)
}

/// Exports include the id: importing it again finds a duplicate.
pub(super) fn with_new_id(entry: Entry, source: &str) -> Entry {
    let id = Uuid::now_v7().to_string();
    let identity = identity::by_id(source, &id, false);
    Entry { source: source.to_owned(), source_id: Some(id), identity, import_id: None, ..entry }
}
