//! The pieces that every answer is made of.

use ledger::{Decimal, Money as Exact};
use serde::Serialize;
use utoipa::ToSchema;

/// An exact amount of money. Never a float.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({"amount": "1234.50", "currency": "EUR"}))]
pub struct Money {
    /// Decimal string, such as "18.00" or "-0.4812".
    #[schema(pattern = r"^-?\d+(\.\d+)?$", example = "1234.50")]
    pub amount: String,
    /// ISO 4217 code.
    #[schema(pattern = "^[A-Z]{3}$", example = "EUR")]
    pub currency: String,
}

impl Money {
    /// A sum or product: rounded once, to the currency's minor units.
    pub fn aggregate(money: Exact) -> Money {
        Money { amount: money.aggregate_text(), currency: money.currency.to_string() }
    }

    /// As it was written down.
    pub fn recorded(money: Exact) -> Money {
        Money { amount: money.recorded_text(), currency: money.currency.to_string() }
    }

    /// A figure per share, in full precision.
    pub fn per_share(money: Exact) -> Money {
        Money { amount: money.per_share_text(), currency: money.currency.to_string() }
    }
}

/// A rate as the nearest JSON number. Rates leave the decimal world only here, where nothing is computed any more.
pub fn number(rate: Decimal) -> f64 {
    rate.to_string().parse().unwrap_or(f64::NAN)
}

/// A month of the year.
#[derive(ToSchema)]
#[schema(minimum = 1, maximum = 12, example = 3)]
pub struct Month(#[allow(dead_code)] i8); // named in the description only

/// The body of every error.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({"error": {"code": "invalid_params", "message": "The parameter `days` takes a whole number from 1 to 120. Please correct it and try again."}}))]
pub struct Error {
    pub error: ErrorBody,
}

#[derive(Serialize, ToSchema)]
pub struct ErrorBody {
    /// Stable; what programs branch on: bad_request, unauthorized, forbidden, not_found, invalid_params, rate_limited,
    /// internal, unavailable. New codes may be added.
    #[schema(example = "invalid_params")]
    pub code: String,
    /// For humans; may change.
    #[schema(example = "The parameter `days` takes a whole number from 1 to 120. Please correct it and try again.")]
    pub message: String,
}
