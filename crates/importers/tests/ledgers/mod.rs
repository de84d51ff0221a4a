//! Random ledgers: every type of entry, odd names, many decimals, reversals, several portfolios.

use importers::{Kind, Record};
use jiff::ToSpan;
use jiff::civil::date;
use ledger::{Currency, Decimal, Ratio};
use proptest::prelude::*;

pub fn ledger() -> impl Strategy<Value = Vec<Record>> {
    prop::collection::vec(record(), 1..12)
}

fn record() -> impl Strategy<Value = Record> {
    let kind = prop::sample::select(Kind::ALL.to_vec());
    (kind, figures(), texts(), -9_000_i64..40_000).prop_map(|(kind, figures, texts, day)| build(kind, figures, texts, day))
}

#[derive(Debug, Clone)]
struct Figures {
    shares: Decimal,
    price: Decimal,
    money: Decimal,
    fees: Option<Decimal>,
    tax: Option<Decimal>,
    net: Option<Decimal>,
    fx_rate: Option<Decimal>,
    ratio: (Decimal, Decimal),
    below_zero: bool,
    /// Which of the optional figures are present.
    given: u8,
}

fn figures() -> impl Strategy<Value = Figures> {
    let maybe = |figure: BoxedStrategy<Decimal>| prop_oneof![Just(None), Just(Some(Decimal::new(0, 2))), figure.prop_map(Some)];
    let part = (1..2_000_i64, 0..3_u32).prop_map(|(digits, scale)| Decimal::new(digits, scale));
    let ratio = (part.clone(), part);
    (
        positive(),
        positive(),
        positive(),
        maybe(positive()),
        maybe(signed()),
        prop::option::of(signed()),
        prop::option::of(positive()),
        ratio,
        any::<bool>(),
        any::<u8>(),
    )
        .prop_map(|(shares, price, money, fees, tax, net, fx_rate, ratio, below_zero, given)| Figures {
            shares,
            price,
            money,
            fees,
            tax,
            net,
            fx_rate,
            ratio,
            below_zero,
            given,
        })
}

/// Small and large, with up to ten decimals; trailing zeros are kept.
fn positive() -> BoxedStrategy<Decimal> {
    let plain = (1..1_000_000_i64, 0..5_u32).prop_map(|(digits, scale)| Decimal::new(digits, scale));
    let odd = (1..1_000_000_000_000_i64, 0..=10_u32).prop_map(|(digits, scale)| Decimal::new(digits, scale));
    // One mark before three digits, which some read as thousands.
    let thousands = (1..1_000_i64, 0..1_000_i64).prop_map(|(whole, rest)| Decimal::new(whole * 1_000 + rest, 3));
    prop_oneof![plain, odd, thousands].boxed()
}

fn signed() -> BoxedStrategy<Decimal> {
    (positive(), any::<bool>()).prop_map(|(figure, below)| if below { -figure } else { figure }).boxed()
}

#[derive(Debug, Clone)]
struct Texts {
    symbol: Option<String>,
    isin: Option<String>,
    name: Option<String>,
    portfolio: Option<String>,
    source: Option<String>,
    id: Option<String>,
    note: Option<String>,
    currency: Option<Currency>,
}

fn texts() -> impl Strategy<Value = Texts> {
    let symbol = prop::option::weighted(
        0.8,
        prop::sample::select(vec!["KO", "IBE.MC", "BRK-B", "0005.HK", "^GSPC", "=F", "+1", "@A", "-B", "1.5", "AAA"]),
    );
    let isin = prop::option::of(prop::sample::select(vec!["US1912161007", "GB0002374006", "ES0144580Y14"]));
    let portfolio = prop::option::of(prop_oneof![
        prop::sample::select(vec!["Main", "Zweites Depot", "1,5", "-"]).prop_map(str::to_owned),
        odd_text()
    ]);
    let currency = prop::option::of(prop::sample::select(vec!["EUR", "USD", "GBP", "JPY"]));
    (symbol, isin, maybe_text(), portfolio, maybe_text(), maybe_text(), maybe_text(), currency).prop_map(
        |(symbol, isin, name, portfolio, source, id, note, currency)| {
            let isin = isin.or(if symbol.is_none() { Some("US1912161007") } else { None });
            Texts {
                symbol: symbol.map(str::to_owned),
                isin: isin.map(str::to_owned),
                name,
                portfolio,
                source,
                id,
                note,
                currency: currency.map(|code| Currency::parse(code).unwrap()),
            }
        },
    )
}

fn maybe_text() -> impl Strategy<Value = Option<String>> {
    prop::option::of(odd_text())
}

/// Any text without line endings and control characters, trimmed, because no table keeps surrounding spaces.
fn odd_text() -> BoxedStrategy<String> {
    let marks = "[a-zA-Z0-9,;|\"'=+@\\-.:/()&% ]{1,24}".prop_map(|text| text.trim().to_owned());
    let any = "\\PC{1,16}".prop_map(|text| text.trim().to_owned());
    let western = "[a-zäöüßéèñç€ ]{1,16}".prop_map(|text| text.trim().to_owned());
    let chosen = prop::sample::select(vec![
        "12.5",
        "1,5",
        "-",
        "--",
        "'",
        "''=x",
        "=1+1",
        "+49 30",
        "@home",
        "-5",
        "n/a",
        "null",
        "N/A",
        "\"",
        "\"\"",
        "a\"b",
        ";;;;;;;;;;;;;;;;;;;;;;;;",
        "2024-01-02",
        "O'Neill; Sons, \"Ltd\"",
    ]);
    prop_oneof![marks, any, western, chosen.prop_map(str::to_owned)].prop_filter("not empty", |text| !text.is_empty()).boxed()
}

fn build(kind: Kind, figures: Figures, texts: Texts, day: i64) -> Record {
    let given = |bit: u8| figures.given & (1 << bit) != 0;
    let date = date(2000, 1, 1).checked_add(day.days()).unwrap();
    let record = Record {
        symbol: texts.symbol,
        isin: texts.isin,
        name: texts.name,
        portfolio: texts.portfolio,
        source: texts.source,
        id: texts.id,
        note: texts.note,
        currency: texts.currency,
        fx_rate: figures.fx_rate,
        ..Record::new(0, date, kind)
    };
    let turned = |figure: Decimal| if figures.below_zero { -figure } else { figure };
    let product = figures.shares.checked_mul(figures.price);
    match kind {
        Kind::Buy | Kind::Sell | Kind::TransferIn | Kind::TransferOut => {
            let priced = given(0) || kind == Kind::TransferOut && given(1);
            let amount =
                if priced { product.filter(|_| given(2)).map(|product| product.round_dp(2)) } else { Some(figures.money) };
            let amount = amount.filter(|amount| amount.trunc().to_string().len() <= 12);
            let priced = priced || amount.is_none();
            Record {
                shares: Some(figures.shares),
                price: priced.then_some(figures.price),
                amount,
                fees: figures.fees,
                tax: figures.tax,
                net: figures.net.filter(|_| given(3)),
                ..record
            }
        }
        Kind::Dividend => {
            let net_only = given(0);
            let per_share = !net_only && given(1);
            Record {
                shares: (per_share || given(2)).then_some(figures.shares),
                price: per_share.then_some(figures.price),
                amount: (!net_only && (!per_share || given(3))).then(|| turned(figures.money)),
                net: if net_only { Some(turned(figures.money)) } else { figures.net },
                tax: figures.tax,
                fees: figures.fees,
                ex_date: given(4).then_some(date),
                ..record
            }
        }
        Kind::Split => {
            Record { ratio: Some(Ratio { new: figures.ratio.0.normalize(), old: figures.ratio.1.normalize() }), ..record }
        }
        Kind::ReturnOfCapital => Record { amount: Some(figures.money), shares: given(0).then_some(figures.shares), ..record },
    }
}
