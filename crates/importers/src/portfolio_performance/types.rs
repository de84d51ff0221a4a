//! The types of transactions in the exported table, in the language of the program.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Type {
    Buy,
    Sell,
    Dividend,
    DeliveryIn,
    DeliveryOut,
    /// Between depots if it has shares, else between cash accounts.
    TransferIn,
    TransferOut,
    Tax,
    TaxRefund,
    /// A deposit or withdrawal.
    Cash,
    Interest,
    /// Of the account.
    Fee,
    FeeRefund,
}

pub fn type_of(word: &str) -> Option<Type> {
    let word = word.to_lowercase();
    TYPES.iter().find(|(_, words)| words.contains(&word.as_str())).map(|(kind, _)| *kind)
}

const TYPES: &[(Type, &[&str])] = &[
    (Type::Buy, &["buy", "kauf", "achat", "compra", "acquisto", "acquista", "koop", "aankoop", "comprar"]),
    (Type::Sell, &["sell", "verkauf", "vente", "venta", "vendita", "vendi", "verkoop", "vender", "venda"]),
    (Type::Dividend, &["dividend", "dividends", "dividende", "dividendes", "dividendo", "dividendi", "dividenden", "dividendos"]),
    (
        Type::DeliveryIn,
        &[
            "delivery (inbound)",
            "einlieferung",
            "distribution (entrante)",
            "livraison (entrante)",
            "entrega (entrada)",
            "entrega (inbound)",
            "trasferimento titoli (in entrata)",
            "levering (inkomend)",
        ],
    ),
    (
        Type::DeliveryOut,
        &[
            "delivery (outbound)",
            "auslieferung",
            "distribution (sortante)",
            "livraison (sortante)",
            "entrega (salida)",
            "entrega (saída)",
            "entrega (outbound)",
            "trasferimento titoli (in uscita)",
            "levering (uitgaand)",
        ],
    ),
    (
        Type::TransferIn,
        &[
            "transfer (inbound)",
            "umbuchung (eingang)",
            "transfert (entrant)",
            "transferencia (entrada)",
            "transferência (entrada)",
            "trasferimento (in entrata)",
            "overboeking (inkomend)",
        ],
    ),
    (
        Type::TransferOut,
        &[
            "transfer (outbound)",
            "umbuchung (ausgang)",
            "transfert (sortant)",
            "transferencia (salida)",
            "transferência (saída)",
            "trasferimento (in uscita)",
            "overboeking (uitgaand)",
        ],
    ),
    (Type::Tax, &["taxes", "steuern", "impôts / taxes", "impuestos", "tasse", "belastingen", "impostos"]),
    (
        Type::TaxRefund,
        &[
            "tax refund",
            "steuerrückerstattung",
            "remboursement impôts / taxes",
            "devolución impuestos",
            "rimborso tasse",
            "terugbetaling belastingen",
            "reembolso de impostos",
        ],
    ),
    (Type::Cash, &["deposit", "einlage", "dépôt", "depósito", "deposita", "deposito", "storting"]),
    (Type::Cash, &["removal", "entnahme", "retrait", "retirada", "rimozione", "prelievo", "opname", "levantamento"]),
    (Type::Interest, &["interest", "zinsen", "intérêts", "intereses", "interesse", "interessi", "rente", "juros"]),
    (
        Type::Interest,
        &[
            "interest charge",
            "zinsbelastung",
            "frais d'intérêts",
            "cargo intereses",
            "interesse passivo",
            "rentekosten",
            "encargos de juros",
        ],
    ),
    (Type::Fee, &["fees", "gebühren", "frais", "comisiones", "commissioni", "kosten", "comissões", "taxas"]),
    (
        Type::FeeRefund,
        &[
            "fees refund",
            "gebührenerstattung",
            "remboursement de frais",
            "devolución comisiones",
            "rimborso commissioni",
            "terugbetaling kosten",
            "reembolso de comissões",
        ],
    ),
];
