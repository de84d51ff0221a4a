//! Tickers with their exchange in our own notation: `VWRL` in Amsterdam is `VWRL.AS`, and in the United States there is no
//! suffix.

/// The suffix for a market identifier code (ISO 10383); empty for the United States. `None` if it is unknown.
pub fn suffix_of_mic(mic: &str) -> Option<&'static str> {
    let mic = mic.to_ascii_uppercase();
    SUFFIXES.iter().find(|(_, mics)| mics.split(' ').any(|known| known == mic)).map(|(suffix, _)| *suffix)
}

/// The ticker in our own notation. Share classes are separated by a hyphen, numbers in Hong Kong have four digits.
pub fn listing(ticker: &str, suffix: &str) -> String {
    let ticker = ticker.trim().trim_end_matches('.').to_uppercase();
    let mut plain = ticker.replace([' ', '.', '/', '_'], "-");
    if suffix == ".HK" && plain.bytes().all(|byte| byte.is_ascii_digit()) {
        plain = format!("{plain:0>4}");
    }
    format!("{plain}{suffix}")
}

const SUFFIXES: &[(&str, &str)] = &[
    ("", "XNYS XNAS XNGS XNCM XNMS ARCX XASE BATS XCBO IEXG OTCM OOTC PINX XOTC PSGM EXPM OTCB OTCQ CAVE"),
    (".L", "XLON AIMX XLOM"),
    (".DE", "XETR XETA XETB XETS"),
    (".F", "XFRA FRAA"),
    (".SG", "XSTU STUA"),
    (".MU", "XMUN MUNA"),
    (".BE", "XBER BERA"),
    (".DU", "XDUS DUSA"),
    (".HM", "XHAM HAMA"),
    (".HA", "XHAN HANA"),
    (".AS", "XAMS ALXA"),
    (".PA", "XPAR ALXP XMLI"),
    (".BR", "XBRU ALXB"),
    (".LS", "XLIS ENXL"),
    (".IR", "XDUB XMSM XESM"),
    (".OL", "XOSL MERK XOAS"),
    (".MI", "XMIL MTAA ETFP BGEM"),
    (".MC", "XMAD BMEX XMCE MABX"),
    (".SW", "XSWX XVTX"),
    (".VI", "XWBO WBAH"),
    (".ST", "XSTO SSME FNSE"),
    (".CO", "XCSE DSME FNDK"),
    (".HE", "XHEL FSME FNFI"),
    (".IC", "XICE"),
    (".WA", "XWAR"),
    (".PR", "XPRA"),
    (".BD", "XBUD"),
    (".AT", "XATH ASEX"),
    (".IS", "XIST"),
    (".TL", "XTAL"),
    (".RG", "XRIS"),
    (".VS", "XLIT"),
    (".RO", "XBSE"),
    (".TO", "XTSE"),
    (".V", "XTSX"),
    (".NE", "NEOE XATS"),
    (".CN", "XCNQ"),
    (".AX", "XASX"),
    (".NZ", "XNZE"),
    (".HK", "XHKG"),
    (".T", "XTKS XJPX XTK1 XTK2 XTK3"),
    (".SI", "XSES"),
    (".KS", "XKRX"),
    (".KQ", "XKOS"),
    (".TW", "XTAI"),
    (".TWO", "ROCO"),
    (".SS", "XSHG"),
    (".SZ", "XSHE"),
    (".NS", "XNSE"),
    (".BO", "XBOM"),
    (".BK", "XBKK"),
    (".JK", "XIDX"),
    (".KL", "XKLS"),
    (".TA", "XTAE"),
    (".JO", "XJSE"),
    (".SA", "BVMF"),
    (".MX", "XMEX"),
    (".BA", "XBUE"),
    (".SN", "XSGO"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ticker_and_its_exchange_make_a_symbol() {
        assert_eq!(listing("VWRL", suffix_of_mic("xams").unwrap()), "VWRL.AS");
        assert_eq!(listing("brk b", suffix_of_mic("XNYS").unwrap()), "BRK-B");
        assert_eq!(listing("BT.A", ".L"), "BT-A.L");
        assert_eq!(listing("BP.", ".L"), "BP.L");
        assert_eq!(listing("5", ".HK"), "0005.HK");
        assert_eq!(suffix_of_mic("XXXX"), None);
    }
}
