//! Wire types shared by all answers.

use jiff::Timestamp;
use ledger::{Currency, Money as Exact};
use serde::{Serialize, Serializer};
use utoipa::ToSchema;

/// Exact, never a floating-point number.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({"amount": "1234.50", "currency": "EUR"}))]
pub struct Money {
    /// Such as 18.00 or -0.4812.
    #[schema(pattern = r"^-?\d+(\.\d+)?$", example = "1234.50")]
    pub amount: String,
    /// ISO 4217 code.
    #[schema(value_type = String, pattern = "^[A-Z]{3}$", example = "EUR")]
    #[serde(serialize_with = "code")]
    pub currency: Currency,
}

fn code<S: Serializer>(currency: &Currency, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(currency.code())
}

impl Money {
    /// A sum or product: rounded once, to the currency's minor units.
    pub fn aggregate(money: Exact) -> Money {
        Money { amount: money.aggregate_text(), currency: money.currency }
    }

    /// As recorded.
    pub fn recorded(money: Exact) -> Money {
        Money { amount: money.recorded_text(), currency: money.currency }
    }

    /// A figure per share, in full precision.
    pub fn per_share(money: Exact) -> Money {
        Money { amount: money.per_share_text(), currency: money.currency }
    }
}

/// The last stored price, in the currency the stock trades in.
#[derive(Serialize, ToSchema)]
pub struct StoredPrice {
    amount: String,
    currency: String,
    #[schema(format = DateTime)]
    as_of: Option<String>,
}

impl StoredPrice {
    pub fn new(price: Exact, as_of: Option<Timestamp>) -> StoredPrice {
        StoredPrice {
            amount: price.per_share_text(),
            currency: price.currency.to_string(),
            as_of: as_of.map(|instant| instant.to_string()),
        }
    }
}
