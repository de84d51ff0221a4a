//! Words for the types of rows, in the same languages as column titles.

use ledger::Kind;

use super::mapping::Meaning;
use super::names::plain;

/// What the word means by itself, with or without an addition: `Buy`, `BUY - MARKET`, `Dividend (Ordinary)`, `Split 4:1`.
pub fn meaning(word: &str) -> Option<Meaning> {
    let front = word.split(['(', ':', '/', ',']).next().unwrap_or(word);
    let front = front.split(" - ").next().unwrap_or(front);
    let before_figures = word.split(|letter: char| letter.is_ascii_digit()).next().unwrap_or(word);
    [word, front, before_figures].iter().find_map(|word| known(&plain(word)))
}

/// Whether the word means that several old shares become a new one.
pub fn is_reverse(word: &str) -> bool {
    const REVERSE: [&str; 9] = [
        "reverse",
        "zusammenlegung",
        "consolidation",
        "regroupement",
        "agrupacion",
        "raggruppamento",
        "grupamento",
        "contrasplit",
        "samenvoeging",
    ];
    let word = plain(word);
    REVERSE.iter().any(|reverse| word.contains(reverse))
}

fn known(word: &str) -> Option<Meaning> {
    WORDS.iter().find(|(_, words)| words.split('|').any(|known| known == word)).map(|(meaning, _)| *meaning)
}

const WORDS: &[(Meaning, &str)] = &[
    (
        Meaning::Kind(Kind::Buy),
        "buy|bought|purchase|purchased|b|market buy|limit buy|buy order|buy market|buy limit|buy to open|savings plan|you bought|buy trade|\
kauf|gekauft|ankauf|wertpapierkauf|sparplan|sparplanausfuhrung|kauf sparplan|\
koop|gekocht|aankoop|achat|achete|compra|comprar|c|acquisto|acquistato|comprado|\
kop|kopt|kob|kjop|kjopt|kupno|zakup|nakup",
    ),
    (
        Meaning::Kind(Kind::Sell),
        "sell|sold|sale|s|market sell|limit sell|sell order|sell market|sell limit|you sold|sell trade|\
verkauf|verkauft|wertpapierverkauf|verkoop|verkocht|vente|vendu|venta|vender|v|vendita|venduto|venda|vendido|\
salj|salt|sald|salg|solgt|sprzedaz|prodej",
    ),
    (
        Meaning::Kind(Kind::Dividend),
        "dividend|dividends|div|cash dividend|ordinary dividend|qualified dividend|dividend payment|dividend received|special dividend|\
dividend income|distribution|cash distribution|payment in lieu of dividend|payment in lieu of dividends|payment in lieu|dividend payout|\
dividende|dividenden|bardividende|dividendenzahlung|ausschuttung|ertrag|ertragnis|dividendengutschrift|ertragnisausschuttung|\
dividenduitkering|uitkering|dividendes|coupon de dividende|versement de dividende|dividendo|dividendos|reparto|\
dividendi|pagamento dividendo|stacco dividendo|rendimento|jcp|juros sobre capital proprio|distribuicao|\
utdelning|udbytte|utbytte|dywidenda|dividenda|cdiv|mdiv",
    ),
    (
        Meaning::Kind(Kind::Split),
        "split|stock split|share split|forward split|reverse split|reverse stock split|aktiensplit|reverse aktiensplit|zusammenlegung|\
aandelensplitsing|splitsing|consolidation|division d actions|fractionnement|regroupement|desdoblamiento|contrasplit|frazionamento|\
raggruppamento|desdobramento|grupamento|desdobro",
    ),
    (
        Meaning::Kind(Kind::TransferIn),
        "transfer in|transferin|transfer_in|delivery inbound|deposit of shares|security transfer in|einlieferung|depotubertrag eingang|\
ubertrag eingang|inlevering|overboeking in|transfert entrant|transferencia de entrada|traspaso de entrada|trasferimento in entrata|\
transferencia entrada|inbound delivery",
    ),
    (
        Meaning::Kind(Kind::TransferOut),
        "transfer out|transferout|transfer_out|delivery outbound|security transfer out|auslieferung|depotubertrag ausgang|\
ubertrag ausgang|uitlevering|overboeking uit|transfert sortant|transferencia de salida|traspaso de salida|trasferimento in uscita|\
transferencia saida|outbound delivery",
    ),
    (
        Meaning::Kind(Kind::ReturnOfCapital),
        "return of capital|roc|capital return|return of principal|capital repayment|kapitalruckzahlung|kapitalruckfuhrung|kapitalherabsetzung|\
teruggave van kapitaal|kapitaalteruggave|terugbetaling van kapitaal|remboursement de capital|retour de capital|devolucion de capital|\
reembolso de capital|rimborso di capitale|restituicao de capital|devolucion de prima",
    ),
    (
        Meaning::Tax,
        "tax|withholding tax|dividend tax|foreign tax paid|foreign tax withholding|tax withheld|nra tax|dividend withholding tax|\
quellensteuer|kapitalertragsteuer|steuer|dividendbelasting|bronbelasting|retenue a la source|impot a la source|retencion|\
retencion dividendo|ritenuta|ritenuta fiscale|retencao|imposto retido|irrf|\
utlandsk kallskatt|kallskatt|kuponskatt|udbytteskat|kildeskatt|dtax|srazkova dan|podatek u zrodla",
    ),
    (Meaning::Transfer, "transfer|security transfer|depotubertrag|ubertrag|transferencia de valores|transfert de titres"),
    (Meaning::ByShares, "trade|order|trading|handel|wertpapiertransaktion"),
    (
        Meaning::Ignore,
        "deposit|withdrawal|cash deposit|cash withdrawal|interest|interest earned|credit interest|interest on cash|cash in|cash out|\
top up|cash top up|interest from cash|forex credit|forex debit|trading fee|currency conversion|fx|forex|card payment|fee|fees|custody fee|account fee|management fee|platform fee|\
einzahlung|auszahlung|zinsen|zins|gebuhr|gebuhren|depotgebuhr|kontofuhrung|storting|opname|rente|kosten|depot|retrait|interets|frais|\
virement|ingreso|retirada|reintegro|intereses|comision|versamento|prelievo|bonifico|interessi|deposito|levantamento|saque|juros|watch",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transaction_types_are_recognised_with_trailing_text() {
        for (word, kind) in [
            ("BUY - MARKET", Kind::Buy),
            ("Kauf", Kind::Buy),
            ("Dividend (Ordinary)", Kind::Dividend),
            ("Ausschüttung", Kind::Dividend),
            ("Transfer In", Kind::TransferIn),
            ("transfer_out", Kind::TransferOut),
            ("RETURN OF CAPITAL", Kind::ReturnOfCapital),
            ("Reverse Split", Kind::Split),
            ("Verkoop", Kind::Sell),
            ("Split 4:1", Kind::Split),
        ] {
            assert_eq!(meaning(word), Some(Meaning::Kind(kind)), "{word}");
        }
        assert_eq!(meaning("Reinvestment"), None, "a buy alone, or a dividend too? Its owner says");
    }

    #[test]
    fn no_word_stands_for_two_transaction_types() {
        let mut all: Vec<&str> = WORDS.iter().flat_map(|(_, words)| words.split('|')).collect();
        all.sort_unstable();
        let twice: Vec<&[&str]> = all.windows(2).filter(|pair| pair[0] == pair[1]).collect();
        assert!(twice.is_empty(), "{twice:?}");
    }
}
