//! Swissquote's transaction types in English, German, French and Italian.

use crate::Reason;
use crate::reading::folded;
use crate::reading::trade_text::Side;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sort {
    Trade(Side),
    /// A cancelled trade.
    Cancelled(Side),
    Dividend(Option<&'static str>),
    Tax,
    Capital,
    Split,
    /// Shares added or removed without money.
    Moved(Option<Side>),
    Skip(Reason),
    Unknown,
}

pub fn sort_of(transaction: &str) -> Sort {
    let text = folded(transaction);
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    let taken_back = has(&["reversal", "storno", "annulation", "cancel", "extourne"]);
    let side = match () {
        () if has(&["sell", "verkauf", "vente", "vendita", "sale"]) => Some(Side::Sell),
        () if has(&["buy", "kauf", "achat", "acquisto", "purchase"]) => Some(Side::Buy),
        () => None,
    };
    match side {
        Some(side) if taken_back => return Sort::Cancelled(side),
        Some(side) => return Sort::Trade(side),
        None => {}
    }
    match () {
        () if has(&["forex", "fx-", "fx ", "devise"]) => Sort::Skip(Reason::CurrencyExchange),
        () if has(&["crypto"]) => Sort::Skip(Reason::unsupported_asset("crypto")),
        () if has(&["verrechnungssteuer", "quellensteuer", "impot anticipe", "impot a la source", "withholding"])
            || has(&["imposta preventiva", "imposta alla fonte", "retenue a la source", "anticipatory tax"]) =>
        {
            Sort::Tax
        }
        () if has(&[
            "stockdividend",
            "stock dividend",
            "dividende en actions",
            "dividende en titres",
            "spin off",
            "spin-off",
        ]) || has(&["bonus", "gratisaktie", "actions gratuites", "wahldividende"]) =>
        {
            Sort::Moved(Some(Side::Buy))
        }
        () if has(&[
            "kapitalruckzahlung",
            "return of capital",
            "capital repayment",
            "repayment of capital",
            "capital return",
        ]) || has(&[
            "remboursement de capital",
            "remboursement capital",
            "remboursement du capital",
            "nennwert",
            "par value",
        ]) || has(&["valeur nominale", "rimborso di capitale", "rimborso capitale"]) =>
        {
            Sort::Capital
        }
        () if has(&["capital gain", "kapitalgewinn", "gain en capital", "gains en capital", "plus-value"]) => {
            Sort::Dividend(Some("capital gain distribution"))
        }
        () if has(&["in lieu", "ausgleichszahlung", "compensat"]) => Sort::Dividend(Some("payment in lieu of a dividend")),
        () if has(&["dividend", "ausschuttung", "distribution"]) => Sort::Dividend(None),
        () if has(&["split"]) => Sort::Split,
        () if has(&["titeleingang", "einlieferung", "transfer in", "entree de titres", "securities in", "receipt"]) => {
            Sort::Moved(Some(Side::Buy))
        }
        () if has(&["titelausgang", "auslieferung", "transfer out", "sortie de titres", "securities out", "delivery"]) => {
            Sort::Moved(Some(Side::Sell))
        }
        () if has(&[
            "titelumbuchung",
            "internal transfer",
            "transfert interne",
            "transfert de titres",
            "securities transfer",
        ]) =>
        {
            Sort::Moved(None)
        }
        () if has(&["ruckzahlung", "redemption", "remboursement", "rimborso"]) => Sort::Trade(Side::Sell),
        () if has(&["lending", "wertpapierleihe", "pret de titres"]) => Sort::Skip(Reason::SecuritiesLending),
        () if has(&["coupon", "interest", "zins", "interet", "interess"]) => Sort::Skip(Reason::Interest),
        () if has(&["fee", "gebuhr", "borsengeb", "spesen", "frais", "droits de garde", "commission", "steuerauszug"]) => {
            Sort::Skip(Reason::AccountFee)
        }
        () => Sort::Unknown,
    }
}
