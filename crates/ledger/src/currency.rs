//! ISO 4217 currencies and the units that markets quote in.

use std::fmt;
use std::sync::LazyLock;

use rust_decimal::Decimal;

/// An ISO 4217 currency, known to exist: three letters out of [`CODES`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Currency([u8; 3]);

impl Currency {
    pub const EUR: Currency = Currency(*b"EUR");
    pub const USD: Currency = Currency(*b"USD");

    /// Reads an ISO 4217 code. Case matters: `GBp` is pence, not pounds; see [`QuoteUnit`].
    pub fn parse(code: &str) -> Result<Currency, UnknownCurrency> {
        let unknown = || UnknownCurrency(code.to_owned());
        let bytes: [u8; 3] = code.as_bytes().try_into().map_err(|_| unknown())?;
        let currency = Currency(bytes);
        match currency.row() {
            Some(_) => Ok(currency),
            None => Err(unknown()),
        }
    }

    pub fn code(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or("XXX")
    }

    /// Decimals of the minor unit: 2 for EUR, 0 for JPY, 3 for KWD.
    pub fn minor_units(&self) -> u32 {
        self.row().unwrap_or(2)
    }

    fn row(&self) -> Option<u32> {
        let units = UNITS[index(self.0)?];
        (units != NONE).then_some(units.into())
    }
}

/// Marks an unknown currency.
const NONE: u8 = u8::MAX;

/// Minor units by the index of a code.
static UNITS: LazyLock<Box<[u8]>> = LazyLock::new(|| {
    let mut all = vec![NONE; 26 * 26 * 26];
    for (units, codes) in CODES {
        for code in codes.as_bytes().chunks(4) {
            if let Some(place) = index([code[0], code[1], code[2]]) {
                all[place] = *units;
            }
        }
    }
    all.into()
});

/// Each code of three capitals has its own index.
fn index(code: [u8; 3]) -> Option<usize> {
    let capital = |letter: u8| letter.is_ascii_uppercase().then(|| usize::from(letter - b'A'));
    Some((capital(code[0])? * 26 + capital(code[1])?) * 26 + capital(code[2])?)
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl fmt::Debug for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownCurrency(pub String);

impl fmt::Display for UnknownCurrency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\" is not an ISO 4217 currency; write three capitals, such as EUR or USD", self.0)
    }
}

impl std::error::Error for UnknownCurrency {}

/// The unit a price or dividend is quoted in: a currency, or its hundredth as some exchanges do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct QuoteUnit {
    pub currency: Currency,
    hundredths: bool,
}

impl QuoteUnit {
    pub fn parse(unit: &str) -> Result<QuoteUnit, UnknownCurrency> {
        let (code, hundredths) = match unit {
            "GBp" | "GBX" => ("GBP", true),
            "ILA" => ("ILS", true),
            "ZAc" | "ZAC" => ("ZAR", true),
            code => (code, false),
        };
        Ok(QuoteUnit { currency: Currency::parse(code)?, hundredths })
    }

    /// Converts a figure in this unit to whole units of its currency: 250 GBp is 2.50 GBP.
    pub fn normalise(&self, figure: Decimal) -> Decimal {
        match self.hundredths {
            false => figure,
            true => of_hundredths(figure),
        }
    }

    /// The unit's own name, as in files: `GBp` for pence.
    pub fn name(&self) -> &str {
        match (self.hundredths, self.currency.code()) {
            (true, "GBP") => "GBp",
            (true, "ILS") => "ILA",
            (true, _) => "ZAc",
            (false, code) => code,
        }
    }
}

/// Without trailing zeros beyond two decimals.
fn of_hundredths(figure: Decimal) -> Decimal {
    let whole = figure.checked_div(Decimal::ONE_HUNDRED).unwrap_or(figure);
    let mut trimmed = whole.normalize();
    trimmed.rescale(trimmed.scale().max(whole.scale().min(2)));
    trimmed
}

impl From<Currency> for QuoteUnit {
    fn from(currency: Currency) -> Self {
        QuoteUnit { currency, hundredths: false }
    }
}

/// Active ISO 4217 codes by minor units, and those withdrawn since 1999, which old ledgers contain.
const CODES: &[(u8, &str)] = &[
    (0, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"),
    (3, "BHD IQD JOD KWD LYD OMR TND"),
    (4, "CLF UYW"),
    (
        2,
        "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC \
CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR \
KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK \
PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH \
USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG HRK LTL LVL EEK SKK SIT MTL CYP ROL TRL",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_three_known_capitals() {
        assert_eq!(Currency::parse("EUR"), Ok(Currency::EUR));
        for bad in ["", "eur", "EU", "EURO", "XYZ", "GBp", "R B", " EU", "UR "] {
            assert!(Currency::parse(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn each_three_letter_code_has_its_own_index() {
        let letters = || b'A'..=b'Z';
        let codes = letters().flat_map(|a| letters().flat_map(move |b| letters().map(move |c| [a, b, c])));
        let places: Vec<_> = codes.map(|code| index(code).unwrap()).collect();
        assert_eq!(places, (0..26 * 26 * 26).collect::<Vec<_>>());
        assert_eq!((index(*b"EUr"), index(*b"E R")), (None, None));
    }

    #[test]
    fn minor_units_follow_iso_4217() {
        for (code, units) in [("EUR", 2), ("JPY", 0), ("KWD", 3), ("CLF", 4), ("KRW", 0), ("HUF", 2), ("ISK", 0), ("TRL", 2)] {
            assert_eq!(Currency::parse(code).unwrap().minor_units(), units, "{code}");
        }
    }

    #[test]
    fn pence_agorot_and_cents_become_whole_units() {
        for (unit, code) in [("GBp", "GBP"), ("GBX", "GBP"), ("ILA", "ILS"), ("ZAc", "ZAR"), ("ZAC", "ZAR")] {
            let unit = QuoteUnit::parse(unit).unwrap();
            assert_eq!(unit.currency.code(), code);
            assert_eq!(unit.normalise(Decimal::new(2505, 1)), Decimal::new(2505, 3));
        }
        let pence = QuoteUnit::parse("GBp").unwrap();
        for (written, whole) in
            [("15.00", "0.15"), ("5.90", "0.059"), ("2821.55", "28.2155"), ("7", "0.07"), ("1000.000", "10.00")]
        {
            assert_eq!(pence.normalise(written.parse().unwrap()).to_string(), whole);
        }
        let pounds = QuoteUnit::parse("GBP").unwrap();
        assert_eq!(pounds.normalise(Decimal::new(2505, 1)), Decimal::new(2505, 1));
        assert!(QuoteUnit::parse("gbp").is_err());
    }

    #[test]
    fn quote_units_are_written_as_they_are_read() {
        for (unit, name) in [("GBp", "GBp"), ("GBX", "GBp"), ("ILA", "ILA"), ("ZAC", "ZAc"), ("GBP", "GBP"), ("USD", "USD")] {
            assert_eq!(QuoteUnit::parse(unit).unwrap().name(), name);
        }
        assert_eq!(QuoteUnit::from(Currency::EUR), QuoteUnit::parse("EUR").unwrap());
    }

    #[test]
    fn a_currency_is_displayed_as_its_code_and_an_invalid_one_as_an_error() {
        assert_eq!((Currency::EUR.to_string(), format!("{:?}", Currency::EUR)), ("EUR".to_owned(), "EUR".to_owned()));
        let unknown = Currency::parse("EURO").unwrap_err().to_string();
        assert_eq!(unknown, "\"EURO\" is not an ISO 4217 currency; write three capitals, such as EUR or USD");
    }
}
