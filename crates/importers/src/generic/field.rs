//! What a column of a table can mean.

macro_rules! fields {
    ($($(#[$note:meta])* $field:ident = $word:literal,)*) => {
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Field {
            $($(#[$note])* $field,)*
        }

        impl Field {
            pub const ALL: [Field; [$($word),*].len()] = [$(Field::$field),*];

            pub fn word(self) -> &'static str {
                match self {
                    $(Field::$field => $word,)*
                }
            }
        }
    };
}

fields! {
    Date = "date",
    Time = "time",
    Type = "type",
    Symbol = "symbol",
    Isin = "isin",
    Cusip = "cusip",
    Name = "name",
    Shares = "shares",
    Price = "price",
    /// Gross, before fees and tax.
    Amount = "amount",
    Fees = "fees",
    Tax = "tax",
    Net = "net",
    Currency = "currency",
    FxRate = "fx_rate",
    Ratio = "ratio",
    ExDate = "ex_date",
    Portfolio = "portfolio",
    Id = "id",
    Note = "note",
}

impl Field {
    pub fn parse(word: &str) -> Option<Field> {
        let word = word.to_lowercase().replace('-', "_");
        Field::ALL.into_iter().find(|field| field.word() == word)
    }

    /// Whether its cells are numbers.
    pub fn is_figure(self) -> bool {
        use Field::*;
        matches!(self, Shares | Price | Amount | Fees | Tax | Net | FxRate)
    }

    /// Only one of these can apply to a cell.
    pub fn is_money(self) -> bool {
        matches!(self, Field::Price | Field::Amount | Field::Net)
    }

    pub fn is_day(self) -> bool {
        matches!(self, Field::Date | Field::ExDate)
    }

    pub fn names_an_instrument(self) -> bool {
        matches!(self, Field::Symbol | Field::Isin | Field::Cusip | Field::Name)
    }

    /// Whether several columns may have this meaning and are added up.
    pub fn adds_up(self) -> bool {
        matches!(self, Field::Fees | Field::Tax)
    }
}
