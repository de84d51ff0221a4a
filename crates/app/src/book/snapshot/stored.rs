//! How values of `ledger` that serde does not know are stored: for `#[serde(with = "stored")]`.

use jiff::civil::Date;
use ledger::{Currency, Decimal, Position};
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub fn serialize<T: Stored, S: Serializer>(value: &T, to: S) -> Result<S::Ok, S::Error> {
    value.form().serialize(to)
}

pub fn deserialize<'de, T: Stored, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    T::from_form(T::Form::deserialize(from)?).ok_or_else(|| D::Error::custom("no value has this form"))
}

/// A value of `ledger` that serde does not know, as values that it does: exact and short.
pub trait Stored: Sized {
    type Form: Serialize + DeserializeOwned;
    fn form(&self) -> Self::Form;
    /// `None` for bytes that no value has.
    fn from_form(form: Self::Form) -> Option<Self>;
}

impl Stored for Date {
    type Form = (i16, i8, i8);

    fn form(&self) -> Self::Form {
        (self.year(), self.month(), self.day())
    }

    fn from_form((year, month, day): Self::Form) -> Option<Date> {
        Date::new(year, month, day).ok()
    }
}

impl Stored for Decimal {
    type Form = (u8, i128);

    fn form(&self) -> Self::Form {
        (self.scale() as u8, self.mantissa())
    }

    fn from_form((scale, mantissa): Self::Form) -> Option<Decimal> {
        Decimal::try_from_i128_with_scale(mantissa, scale.into()).ok()
    }
}

impl Stored for Currency {
    type Form = [u8; 3];

    fn form(&self) -> Self::Form {
        self.code().as_bytes().try_into().unwrap_or_default()
    }

    fn from_form(code: Self::Form) -> Option<Currency> {
        Currency::parse(std::str::from_utf8(&code).ok()?).ok()
    }
}

impl Stored for Position {
    type Form = ([u8; 3], [(u8, i128); 2], <(Date, i64) as Stored>::Form, bool);

    fn form(&self) -> Self::Form {
        let opened = (self.opened, self.opened_sequence).form();
        (self.currency.form(), [self.shares.form(), self.cost.form()], opened, self.cost_known)
    }

    fn from_form((currency, [shares, cost], opened, cost_known): Self::Form) -> Option<Position> {
        let (opened, opened_sequence) = Stored::from_form(opened)?;
        let (shares, cost) = (Decimal::from_form(shares)?, Decimal::from_form(cost)?);
        Some(Position { currency: Currency::from_form(currency)?, shares, cost, opened, opened_sequence, cost_known })
    }
}

/// Date and sequence of an entry.
impl Stored for (Date, i64) {
    type Form = (<Date as Stored>::Form, i64);

    fn form(&self) -> Self::Form {
        (self.0.form(), self.1)
    }

    fn from_form((date, sequence): Self::Form) -> Option<(Date, i64)> {
        Some((Date::from_form(date)?, sequence))
    }
}

impl<T: Stored> Stored for Option<T> {
    type Form = Option<T::Form>;

    fn form(&self) -> Self::Form {
        self.as_ref().map(T::form)
    }

    fn from_form(form: Self::Form) -> Option<Option<T>> {
        form.map_or(Some(None), |form| T::from_form(form).map(Some))
    }
}

impl<T: Stored> Stored for Vec<T> {
    type Form = Vec<T::Form>;

    fn form(&self) -> Self::Form {
        self.iter().map(T::form).collect()
    }

    fn from_form(form: Self::Form) -> Option<Vec<T>> {
        form.into_iter().map(T::from_form).collect()
    }
}
