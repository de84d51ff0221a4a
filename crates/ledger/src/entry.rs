//! What a ledger records: trades, dividends, splits, transfers, returns of capital.

use jiff::civil::Date;
use rust_decimal::Decimal;

use crate::Currency;

/// One recorded event of one symbol in one portfolio.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    pub date: Date,
    /// Order of recording, which also orders the entries of one day.
    pub sequence: i64,
    pub currency: Currency,
    /// Units of the instrument's trading currency for one unit of `currency`.
    pub fx_rate: Option<Decimal>,
    pub event: Event,
}

/// The type of an entry, and the word for it in files and in the database.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    Buy,
    Sell,
    Dividend,
    Split,
    TransferIn,
    TransferOut,
    ReturnOfCapital,
}

impl Kind {
    pub const ALL: [Kind; 7] =
        [Kind::Buy, Kind::Sell, Kind::Dividend, Kind::Split, Kind::TransferIn, Kind::TransferOut, Kind::ReturnOfCapital];

    pub fn word(self) -> &'static str {
        match self {
            Kind::Buy => "buy",
            Kind::Sell => "sell",
            Kind::Dividend => "dividend",
            Kind::Split => "split",
            Kind::TransferIn => "transfer_in",
            Kind::TransferOut => "transfer_out",
            Kind::ReturnOfCapital => "return_of_capital",
        }
    }

    pub fn parse(word: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.word() == word)
    }
}

#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    Buy(Trade),
    Sell(Trade),
    TransferIn(Trade),
    TransferOut(Trade),
    Dividend(Dividend),
    Split(Ratio),
    ReturnOfCapital { amount: Decimal },
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Trade {
    pub shares: Decimal,
    /// Shares × price, before fees.
    pub amount: Decimal,
    pub fees: Decimal,
    /// False if the amount is unknown or an estimate.
    pub cost_known: bool,
}

/// A dividend as paid, in the entry's currency. Reversals are negative.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Dividend {
    pub gross: Decimal,
    /// False if the source only has the net amount; `gross` then repeats it.
    pub gross_known: bool,
    /// Withheld abroad; `None` if not recorded.
    pub tax: Option<Decimal>,
    pub fees: Option<Decimal>,
    pub ex_date: Option<Date>,
    pub net: Option<Decimal>,
    pub shares: Option<Decimal>,
    pub per_share: Option<Decimal>,
    /// Taken from market data, and not confirmed by its owner.
    pub estimated: bool,
}

impl Dividend {
    /// What the owner received: the recorded net, else gross − withholding − fees.
    pub fn net(&self) -> Decimal {
        let kept = || self.gross.saturating_sub(self.tax.unwrap_or_default()).saturating_sub(self.fees.unwrap_or_default());
        self.net.unwrap_or_else(kept)
    }
}

/// New shares for old ones: `4:1` turns one into four.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ratio {
    pub new: Decimal,
    pub old: Decimal,
}

impl Ratio {
    /// Parses `4:1`; both sides must be positive.
    pub fn parse(text: &str) -> Option<Ratio> {
        let (new, old) = text.split_once(':')?;
        let side = |text: &str| text.trim().parse::<Decimal>().ok().filter(|side| *side > Decimal::ZERO);
        Some(Ratio { new: side(new)?, old: side(old)? })
    }

    /// Whether both turn one share into the same number.
    pub fn equals(self, other: Ratio) -> bool {
        self.new.checked_mul(other.old) == other.new.checked_mul(self.old)
    }
}

impl std::fmt::Display for Ratio {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.new.normalize(), self.old.normalize())
    }
}

/// A split from market data, effective at the start of its day.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Split {
    pub date: Date,
    pub ratio: Ratio,
}
