//! Estimates the withholding tax of the source country.

use std::cmp::Ordering;
use std::sync::LazyLock;

use rust_decimal::Decimal;

/// Sums over the user's own dividends of a symbol with a recorded withholding (zero counts), in one currency.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Seen {
    pub gross: Decimal,
    pub withheld: Decimal,
    /// By how much rounding can have changed `withheld`: half the smallest unit of the currency for each dividend.
    pub rounding: Decimal,
}

/// Where a dividend comes from.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Source {
    /// An ISO 3166 alpha-2 code in capitals.
    pub country: Option<&'static str>,
    pub fund: bool,
}

/// The fraction of a dividend withheld abroad, and how it was found.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    pub rate: Decimal,
    pub basis: Basis,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Basis {
    /// Nothing is withheld at home.
    Home,
    /// As in the user's own dividends.
    Withheld {
        seen: Seen,
        official: Official,
    },
    /// Ireland and Luxembourg tax none of their funds' dividends.
    UntaxedFund,
    Table(Official),
    /// The source country is unknown, or not in the table.
    UnknownSource,
}

/// What the table knows about a source country and a residence.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Official {
    pub treaty: Option<Decimal>,
    pub statutory: Option<Decimal>,
}

/// Nothing at home, else as in the user's own dividends, else by the table. Countries are ISO 3166 alpha-2 codes in capitals.
pub fn estimate(source: Source, residence: Option<&str>, seen: Option<Seen>) -> Estimate {
    let official = || {
        let row = row_of(source.country);
        Official { treaty: row.and_then(|row| row.treaty_with(residence)), statutory: row.map(|row| row.statutory) }
    };
    if !at_home(source.country, residence)
        && let Some(seen) = seen
        && let official = official()
        && let Some(rate) = withheld_rate(seen, official)
    {
        return Estimate { rate, basis: Basis::Withheld { seen, official } };
    }
    by_table(source, residence)
}

/// Nothing for funds of two countries that tax none of their dividends; else the treaty rate for the residence, unless the
/// statutory rate is lower; else the statutory rate; else 15%.
pub fn table_rate(source: Source, residence: Option<&str>) -> Decimal {
    by_table(source, residence).rate
}

fn by_table(source: Source, residence: Option<&str>) -> Estimate {
    if at_home(source.country, residence) {
        return Estimate { rate: Decimal::ZERO, basis: Basis::Home };
    }
    if source.fund && matches!(source.country, Some("IE" | "LU")) {
        return Estimate { rate: Decimal::ZERO, basis: Basis::UntaxedFund };
    }
    let Some(row) = row_of(source.country) else { return Estimate { rate: UNKNOWN_SOURCE, basis: Basis::UnknownSource } };
    let official = Official { treaty: row.treaty_with(residence), statutory: Some(row.statutory) };
    Estimate { rate: official.treaty.map_or(row.statutory, |treaty| treaty.min(row.statutory)), basis: Basis::Table(official) }
}

/// Where a dividend is taxed: for a depositary receipt, the company's country; else the ISIN's prefix, else the instrument's
/// country (code or English name), else its exchange.
pub fn source_country(isin: Option<&str>, country: Option<&str>, exchange: Option<&str>, receipt: bool) -> Option<&'static str> {
    let of_company = country.and_then(country_code);
    let of_receipt = of_company.filter(|_| receipt);
    of_receipt.or_else(|| isin.and_then(isin_country)).or(of_company).or_else(|| exchange.and_then(exchange_country))
}

/// The ISO 3166 alpha-2 code of a country given by code or English name, in any case.
pub fn country_code(text: &str) -> Option<&'static str> {
    named(&COUNTRY_WORDS, text.trim())
}

type Words = Vec<(&'static str, &'static str)>;

/// Codes and names with their code, for [`named`].
static COUNTRY_WORDS: LazyLock<Words> = LazyLock::new(|| {
    let known = countries().flat_map(|(code, name)| [(code, code), (name, code)]);
    in_order(known.chain(OTHER_NAMES.iter().map(|(code, name)| (*name, *code))))
});

static EXCHANGE_WORDS: LazyLock<Words> =
    LazyLock::new(|| in_order(EXCHANGES.iter().flat_map(|(code, names)| names.split(' ').map(move |name| (name, *code)))));

fn in_order(words: impl Iterator<Item = (&'static str, &'static str)>) -> Words {
    let mut words: Words = words.collect();
    words.sort_by(|(a, _), (b, _)| in_any_case(a, b));
    words
}

/// The code of a word, case-insensitive.
fn named(words: &Words, word: &str) -> Option<&'static str> {
    words.binary_search_by(|(known, _)| in_any_case(known, word)).ok().map(|at| words[at].1)
}

fn in_any_case(a: &str, b: &str) -> Ordering {
    a.bytes().map(|letter| letter.to_ascii_lowercase()).cmp(b.bytes().map(|letter| letter.to_ascii_lowercase()))
}

pub(crate) const UNKNOWN_SOURCE: Decimal = Decimal::from_parts(15, 0, 0, false, 2);

fn at_home(source: Option<&str>, residence: Option<&str>) -> bool {
    source.is_some() && source == residence
}

/// Withheld ÷ gross. A rate that rounding can have made of the treaty or the statutory rate is that rate.
pub(crate) fn withheld_rate(seen: Seen, official: Official) -> Option<Decimal> {
    if seen.gross <= Decimal::ZERO {
        return None;
    }
    let explains = |rate: &Decimal| {
        let off = seen.gross.checked_mul(*rate).and_then(|exact| exact.checked_sub(seen.withheld));
        off.is_some_and(|off| off.abs() <= seen.rounding)
    };
    let rate = || seen.withheld.checked_div(seen.gross);
    let official = [official.treaty, official.statutory].into_iter().flatten();
    Some(official.into_iter().find(explains).or_else(rate)?.clamp(Decimal::ZERO, Decimal::ONE))
}

fn row_of(source: Option<&str>) -> Option<&'static Row> {
    let source = source?;
    TABLE.rows.binary_search_by_key(&source, |row| row.source).ok().map(|at| &TABLE.rows[at])
}

struct Table {
    residences: Vec<&'static str>,
    /// Ascending by source.
    rows: Vec<Row>,
}

struct Row {
    source: &'static str,
    statutory: Decimal,
    /// In the order of the table's residences.
    treaty: Vec<Option<Decimal>>,
}

impl Row {
    /// The treaty rate for this residence.
    fn treaty_with(&self, residence: Option<&str>) -> Option<Decimal> {
        let column = TABLE.residences.iter().position(|known| Some(*known) == residence)?;
        self.treaty.get(column).copied().flatten()
    }
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut lines = include_str!("withholding.csv").lines().filter(|line| !line.starts_with('#'));
    let residences = lines.next().unwrap_or_default().split(',').skip(2).collect();
    let mut rows: Vec<Row> = lines.filter_map(row).collect();
    rows.sort_by_key(|row| row.source);
    Table { residences, rows }
});

fn row(line: &'static str) -> Option<Row> {
    let mut fields = line.split(',');
    Some(Row { source: fields.next()?, statutory: fraction(fields.next()?)?, treaty: fields.map(fraction).collect() })
}

fn fraction(percent: &str) -> Option<Decimal> {
    percent.parse::<Decimal>().ok()?.checked_div(Decimal::ONE_HUNDRED)
}

/// Prefixes such as XS and EU are not countries. A filler such as `NONE` must not pass for Norway, hence the length check.
fn isin_country(isin: &str) -> Option<&'static str> {
    let isin = isin.trim();
    let whole = isin.len() == 12 && isin.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let prefix = isin.get(..2).filter(|_| whole)?;
    // The only name with two letters is "UK", which is not a prefix.
    named(&COUNTRY_WORDS, prefix).filter(|code| code.eq_ignore_ascii_case(prefix))
}

fn exchange_country(exchange: &str) -> Option<&'static str> {
    named(&EXCHANGE_WORDS, exchange.trim())
}

/// Code and English name of every country.
pub fn countries() -> impl Iterator<Item = (&'static str, &'static str)> {
    COUNTRIES.split(';').filter_map(|country| country.split_once(' '))
}

/// ISO 3166 alpha-2 codes with the name that market data uses most.
const COUNTRIES: &str = "AD Andorra;AE United Arab Emirates;AF Afghanistan;AG Antigua and Barbuda;AI Anguilla;AL Albania;\
AM Armenia;AO Angola;AQ Antarctica;AR Argentina;AS American Samoa;AT Austria;AU Australia;AW Aruba;AX Aland Islands;\
AZ Azerbaijan;BA Bosnia and Herzegovina;BB Barbados;BD Bangladesh;BE Belgium;BF Burkina Faso;BG Bulgaria;BH Bahrain;\
BI Burundi;BJ Benin;BL Saint Barthelemy;BM Bermuda;BN Brunei;BO Bolivia;BQ Caribbean Netherlands;BR Brazil;BS Bahamas;\
BT Bhutan;BV Bouvet Island;BW Botswana;BY Belarus;BZ Belize;CA Canada;CC Cocos Islands;\
CD Democratic Republic of the Congo;CF Central African Republic;CG Republic of the Congo;CH Switzerland;CI Ivory Coast;\
CK Cook Islands;CL Chile;CM Cameroon;CN China;CO Colombia;CR Costa Rica;CU Cuba;CV Cape Verde;CW Curacao;\
CX Christmas Island;CY Cyprus;CZ Czech Republic;DE Germany;DJ Djibouti;DK Denmark;DM Dominica;DO Dominican Republic;\
DZ Algeria;EC Ecuador;EE Estonia;EG Egypt;EH Western Sahara;ER Eritrea;ES Spain;ET Ethiopia;FI Finland;FJ Fiji;\
FK Falkland Islands;FM Micronesia;FO Faroe Islands;FR France;GA Gabon;GB United Kingdom;GD Grenada;GE Georgia;\
GF French Guiana;GG Guernsey;GH Ghana;GI Gibraltar;GL Greenland;GM Gambia;GN Guinea;GP Guadeloupe;GQ Equatorial Guinea;\
GR Greece;GS South Georgia;GT Guatemala;GU Guam;GW Guinea-Bissau;GY Guyana;HK Hong Kong;HM Heard Island;HN Honduras;\
HR Croatia;HT Haiti;HU Hungary;ID Indonesia;IE Ireland;IL Israel;IM Isle of Man;IN India;\
IO British Indian Ocean Territory;IQ Iraq;IR Iran;IS Iceland;IT Italy;JE Jersey;JM Jamaica;JO Jordan;JP Japan;KE Kenya;\
KG Kyrgyzstan;KH Cambodia;KI Kiribati;KM Comoros;KN Saint Kitts and Nevis;KP North Korea;KR South Korea;KW Kuwait;\
KY Cayman Islands;KZ Kazakhstan;LA Laos;LB Lebanon;LC Saint Lucia;LI Liechtenstein;LK Sri Lanka;LR Liberia;LS Lesotho;\
LT Lithuania;LU Luxembourg;LV Latvia;LY Libya;MA Morocco;MC Monaco;MD Moldova;ME Montenegro;MF Saint Martin;\
MG Madagascar;MH Marshall Islands;MK Macedonia;ML Mali;MM Myanmar;MN Mongolia;MO Macau;MP Northern Mariana Islands;\
MQ Martinique;MR Mauritania;MS Montserrat;MT Malta;MU Mauritius;MV Maldives;MW Malawi;MX Mexico;MY Malaysia;\
MZ Mozambique;NA Namibia;NC New Caledonia;NE Niger;NF Norfolk Island;NG Nigeria;NI Nicaragua;NL Netherlands;NO Norway;\
NP Nepal;NR Nauru;NU Niue;NZ New Zealand;OM Oman;PA Panama;PE Peru;PF French Polynesia;PG Papua New Guinea;\
PH Philippines;PK Pakistan;PL Poland;PM Saint Pierre and Miquelon;PN Pitcairn;PR Puerto Rico;PS Palestine;PT Portugal;\
PW Palau;PY Paraguay;QA Qatar;RE Reunion;RO Romania;RS Serbia;RU Russia;RW Rwanda;SA Saudi Arabia;SB Solomon Islands;\
SC Seychelles;SD Sudan;SE Sweden;SG Singapore;SH Saint Helena;SI Slovenia;SJ Svalbard;SK Slovakia;SL Sierra Leone;\
SM San Marino;SN Senegal;SO Somalia;SR Suriname;SS South Sudan;ST Sao Tome and Principe;SV El Salvador;SX Sint Maarten;\
SY Syria;SZ Eswatini;TC Turks and Caicos Islands;TD Chad;TF French Southern Territories;TG Togo;TH Thailand;\
TJ Tajikistan;TK Tokelau;TL Timor-Leste;TM Turkmenistan;TN Tunisia;TO Tonga;TR Turkey;TT Trinidad and Tobago;TV Tuvalu;\
TW Taiwan;TZ Tanzania;UA Ukraine;UG Uganda;UM United States Minor Outlying Islands;US United States;UY Uruguay;\
UZ Uzbekistan;VA Vatican City;VC Saint Vincent and the Grenadines;VE Venezuela;VG British Virgin Islands;\
VI U.S. Virgin Islands;VN Vietnam;VU Vanuatu;WF Wallis and Futuna;WS Samoa;YE Yemen;YT Mayotte;ZA South Africa;ZM Zambia;\
ZW Zimbabwe";

/// Other names of countries that occur in portfolios.
const OTHER_NAMES: &[(&str, &str)] = &[
    ("US", "USA"),
    ("US", "U.S."),
    ("US", "United States of America"),
    ("GB", "UK"),
    ("GB", "Great Britain"),
    ("GB", "England"),
    ("NL", "The Netherlands"),
    ("NL", "Holland"),
    ("CZ", "Czechia"),
    ("KR", "Korea"),
    ("KR", "Republic of Korea"),
    ("RU", "Russian Federation"),
    ("TR", "Türkiye"),
    ("TR", "Turkiye"),
    ("HK", "Hong Kong SAR"),
    ("MO", "Macao"),
    ("MK", "North Macedonia"),
    ("VN", "Viet Nam"),
    ("CI", "Côte d'Ivoire"),
    ("CW", "Curaçao"),
];

/// Exchanges by the country of most of their shares: provider codes, plain names, MICs. Over-the-counter and pan-European venues
/// are left out, because they say nothing about a share's country.
const EXCHANGES: &[(&str, &str)] = &[
    ("US", "NYSE NASDAQ NMS NGM NCM NYQ ASE AMEX ARCA NYSEARCA PCX BTS BATS NASDAQGS NASDAQGM NASDAQCM XNYS XNAS XASE ARCX"),
    ("GB", "LSE LON LONDON XLON"),
    ("DE", "XETRA GER FRA STU BER MUN DUS HAM HAN FRANKFURT XETR XFRA XSTU XBER XMUN XDUS XHAM XHAN"),
    ("FR", "PAR EPA PARIS XPAR"),
    ("NL", "AMS AMSTERDAM XAMS"),
    ("BE", "BRU BRUSSELS XBRU"),
    ("ES", "MCE BME MAD MADRID XMAD"),
    ("IT", "MIL MILAN XMIL"),
    ("PT", "LIS LISBON XLIS"),
    ("CH", "VTX EBS SWX SIX SWISS XSWX"),
    ("CA", "TOR TSX TORONTO VAN CNQ NEO XTSE XTSX XCNQ NEOE"),
    ("AU", "ASX XASX"),
    ("NZ", "NZE XNZE"),
    ("JP", "TYO JPX TSE TOKYO XTKS XJPX"),
    ("HK", "HKG HKSE XHKG"),
    ("SG", "SES SGX XSES"),
    ("CN", "SHH SHZ XSHG XSHE"),
    ("SE", "STO STOCKHOLM XSTO"),
    ("DK", "CPH COPENHAGEN XCSE"),
    ("FI", "HEL HELSINKI XHEL"),
    ("NO", "OSL OSLO XOSL"),
    ("ZA", "JSE JNB XJSE"),
    ("IL", "TLV TASE XTAE"),
    ("KR", "KSC KOE KRX XKRX XKOS"),
    ("TW", "TAI TWO TWSE XTAI ROCO"),
    ("IN", "NSE NSI BSE BOM XNSE XBOM"),
    ("TH", "SET XBKK"),
    ("MY", "KLS XKLS"),
    ("ID", "JKT XIDX"),
    ("BR", "SAO BVMF"),
    ("MX", "MEX XMEX"),
    ("CL", "SGO XSGO"),
    ("AT", "VIE VIENNA XWBO"),
    ("PL", "WSE XWAR"),
    ("CZ", "PRA XPRA"),
    ("HU", "BUD XBUD"),
    ("GR", "ATH ASEX"),
    ("TR", "IST XIST"),
    ("IE", "DUB ISE DUBLIN XDUB"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_withholding_table_is_read() {
        let table = &*TABLE;
        assert_eq!(table.residences, ["US", "GB", "ES", "DE", "FR", "NL", "IE", "CH", "CA", "AU"]);
        assert_eq!(table.rows.len(), 44);
        for row in &table.rows {
            assert!(countries().any(|(code, _)| code == row.source), "{}", row.source);
            assert_eq!(row.treaty.len(), 10, "{}", row.source);
        }
    }

    #[test]
    fn no_name_stands_for_two_countries() {
        for words in [&*COUNTRY_WORDS, &*EXCHANGE_WORDS] {
            assert!(words.windows(2).all(|pair| in_any_case(pair[0].0, pair[1].0).is_lt()));
            assert!(words.iter().all(|(word, code)| named(words, &word.to_ascii_lowercase()) == Some(code)));
        }
    }

    #[test]
    fn the_country_tables_hold_each_code_once_and_only_real_ones() {
        let codes: Vec<&str> = countries().map(|(code, _)| code).collect();
        assert_eq!(codes.len(), 249);
        assert!(codes.is_sorted_by(|a, b| a < b && a.len() == 2));
        let named = OTHER_NAMES.iter().chain(EXCHANGES).map(|(code, _)| code);
        assert!(named.clone().all(|code| codes.contains(code)), "{:?}", named.collect::<Vec<_>>());
        let mut exchanges: Vec<&str> = EXCHANGES.iter().flat_map(|(_, names)| names.split(' ')).collect();
        exchanges.sort_unstable();
        assert!(exchanges.is_sorted_by(|a, b| a < b), "an exchange in two countries");
    }
}
