//! What a column of a table can mean.

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Field {
    Date,
    Time,
    Type,
    Symbol,
    Isin,
    Cusip,
    Name,
    Shares,
    Price,
    /// Gross, before fees and tax.
    Amount,
    Fees,
    Tax,
    Net,
    Currency,
    FxRate,
    Ratio,
    ExDate,
    Portfolio,
    Id,
    Note,
}

impl Field {
    pub const ALL: [Field; 20] = [
        Field::Date,
        Field::Time,
        Field::Type,
        Field::Symbol,
        Field::Isin,
        Field::Cusip,
        Field::Name,
        Field::Shares,
        Field::Price,
        Field::Amount,
        Field::Fees,
        Field::Tax,
        Field::Net,
        Field::Currency,
        Field::FxRate,
        Field::Ratio,
        Field::ExDate,
        Field::Portfolio,
        Field::Id,
        Field::Note,
    ];

    pub fn word(self) -> &'static str {
        match self {
            Field::Date => "date",
            Field::Time => "time",
            Field::Type => "type",
            Field::Symbol => "symbol",
            Field::Isin => "isin",
            Field::Cusip => "cusip",
            Field::Name => "name",
            Field::Shares => "shares",
            Field::Price => "price",
            Field::Amount => "amount",
            Field::Fees => "fees",
            Field::Tax => "tax",
            Field::Net => "net",
            Field::Currency => "currency",
            Field::FxRate => "fx_rate",
            Field::Ratio => "ratio",
            Field::ExDate => "ex_date",
            Field::Portfolio => "portfolio",
            Field::Id => "id",
            Field::Note => "note",
        }
    }

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
