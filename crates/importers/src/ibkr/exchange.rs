//! Exchanges by Interactive Brokers' own codes: `TSE` is Toronto and `TSEJ` Tokyo.

/// The suffix of that exchange in our own notation; `None` if the exchange is unknown, or is not one (`VALUE`).
pub fn suffix_of(code: &str) -> Option<&'static str> {
    let code = code.to_ascii_uppercase();
    SUFFIXES.iter().find(|(_, codes)| codes.split(' ').any(|known| known == code)).map(|(suffix, _)| *suffix)
}

const SUFFIXES: &[(&str, &str)] = &[
    ("", "NASDAQ NASDAQ.NMS NASDAQ.SCM NYSE ARCA AMEX BATS ISLAND IEX NYSENAT PINK OTCBB OTCLNKECN OTC"),
    (".L", "LSE LSEETF"),
    (".DE", "IBIS IBIS2 IBISETF XETRA"),
    (".F", "FWB FWB2"),
    (".SG", "SWB SWB2"),
    (".AS", "AEB"),
    (".PA", "SBF SBFM"),
    (".BR", "ENEXT.BE"),
    (".LS", "BVL"),
    (".IR", "ISED"),
    (".SW", "EBS SWX VIRTX"),
    (".MC", "BM"),
    (".MI", "BVME BVME.ETF"),
    (".VI", "VSE"),
    (".ST", "SFB"),
    (".CO", "CPH"),
    (".HE", "HEX"),
    (".OL", "OSE"),
    (".WA", "WSE"),
    (".PR", "PRA"),
    (".BD", "BUX"),
    (".TL", "N.TALLINN"),
    (".RG", "N.RIGA"),
    (".VS", "N.VILNIUS"),
    (".TO", "TSE"),
    (".V", "VENTURE"),
    (".NE", "AEQNEO AEQLIT NEOE"),
    (".AX", "ASX ASXCEN"),
    (".HK", "SEHK"),
    (".SS", "SEHKNTL SEHKSTAR"),
    (".SZ", "SEHKSZSE CHINEXT"),
    (".T", "TSEJ"),
    (".SI", "SGX"),
    (".KS", "KSE"),
    (".TW", "TWSE"),
    (".TWO", "TPEX"),
    (".NS", "NSE"),
    (".TA", "TASE"),
    (".MX", "MEXI"),
    (".KL", "BURSAMY"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exchange_codes_of_ibkr_differ_from_the_usual_ones() {
        assert_eq!(suffix_of("TSE"), Some(".TO"));
        assert_eq!(suffix_of("TSEJ"), Some(".T"));
        assert_eq!(suffix_of("ibis2"), Some(".DE"));
        assert_eq!(suffix_of("ARCA"), Some(""));
        assert_eq!(suffix_of("VALUE"), None);
    }
}
