//! Exchanges as Snowball names them.

use crate::Reason;

pub enum Exchange {
    /// The suffix in our own notation, if it is known.
    Listed(Option<&'static str>),
    Unsupported(Reason),
}

pub fn read(name: &str) -> Exchange {
    let name = name.to_uppercase();
    match name.as_str() {
        "CUSTOM_HOLDING" | "CUSTOM" => return Exchange::Unsupported(Reason::NotListed),
        "CRYPTO" | "CC" | "CRYPTOCURRENCY" => return Exchange::Unsupported(Reason::unsupported_asset("crypto")),
        _ => {}
    }
    Exchange::Listed(SUFFIXES.iter().find(|(_, names)| names.split(' ').any(|known| known == name)).map(|(suffix, _)| *suffix))
}

const SUFFIXES: &[(&str, &str)] = &[
    ("", "NASDAQ NYSE AMEX NYSEARCA ARCA NYSEMKT BATS CBOE US OTC OTCQX OTCQB OTCMKTS PINK"),
    (".L", "LSE L LON"),
    (".DE", "XETRA XETR DE"),
    (".F", "F FRA"),
    (".SG", "STU SG"),
    (".MU", "MU MUN"),
    (".BE", "BE BER"),
    (".DU", "DU DUS"),
    (".HM", "HM HAM"),
    (".HA", "HA HAN"),
    (".PA", "PA EPA"),
    (".AS", "AS AMS"),
    (".BR", "BR EBR"),
    (".LS", "LS ELI"),
    (".IR", "IR ISE"),
    (".MI", "MI BIT"),
    (".MC", "MC BME"),
    (".SW", "SW VX SIX"),
    (".VI", "VI VIE"),
    (".ST", "ST STO"),
    (".CO", "CO CPH"),
    (".HE", "HE HEL"),
    (".OL", "OL OSE"),
    (".WA", "WAR WSE"),
    (".TO", "TO TSX"),
    (".V", "V TSXV"),
    (".NE", "NEO"),
    (".AX", "AU ASX"),
    (".NZ", "NZX"),
    (".HK", "HK HKEX"),
    (".T", "TSE JPX"),
    (".SI", "SGX"),
    (".NS", "NSE"),
    (".BO", "BSE"),
    (".TA", "TA TASE"),
    (".JO", "JSE"),
    (".SA", "SA BVMF"),
    (".MX", "MX BMV"),
];
