//! The columns of the exported table, whose titles are in the language of the program.

/// Columns by their content, in lowercase: English, German, French, Spanish, Italian, Dutch, Portuguese.
const COLUMNS: &[(Column, &[&str])] = &[
    (Column::Date, &["date", "datum", "fecha", "data"]),
    (
        Column::ExDate,
        &[
            "ex-date",
            "ex date",
            "ex-tag",
            "ex-datum",
            "ex tag",
            "ex-dividend date",
            "date ex-dividende",
            "fecha ex-dividendo",
            "data ex-dividendo",
        ],
    ),
    (Column::Time, &["time", "uhrzeit", "heure", "hora", "ora", "tijd"]),
    (Column::Type, &["type", "typ", "tipo"]),
    (Column::Value, &["value", "wert", "valeur", "valor", "valore", "waarde"]),
    (
        Column::Currency,
        &[
            "transaction currency",
            "buchungswährung",
            "devise de l'opération",
            "devise de transaction",
            "moneda de la transacción",
            "moneda de la transaccioón",
            "valuta operazione",
            "valuta transazione",
            "transactievaluta",
            "moeda da transação",
        ],
    ),
    (
        Column::Gross,
        &[
            "gross amount",
            "bruttobetrag",
            "montant brut",
            "cantidad bruta",
            "importe bruto",
            "importo lordo",
            "brutobedrag",
            "valor bruto",
        ],
    ),
    (
        Column::GrossCurrency,
        &[
            "currency gross amount",
            "währung bruttobetrag",
            "montant brut en devise",
            "devise du montant brut",
            "cantidad bruta de moneda",
            "moneda cantidad bruta",
            "importo lordo valuta",
            "valuta importo lordo",
            "valuta brutobedrag",
            "valor bruto em moeda",
        ],
    ),
    (
        Column::Rate,
        &["exchange rate", "wechselkurs", "taux de change", "tipo de cambio", "tasso di cambio", "wisselkoers", "taxa de câmbio"],
    ),
    (Column::Fees, &["fees", "gebühren", "frais", "comisiones", "commissioni", "kosten", "taxas", "comissões"]),
    (Column::Taxes, &["taxes", "steuern", "impôts / taxes", "impuestos", "tasse", "belastingen", "impostos"]),
    (Column::Shares, &["shares", "stück", "parts", "acciones", "azioni", "aandelen", "quantidade"]),
    (Column::Isin, &["isin"]),
    (Column::Wkn, &["wkn"]),
    (
        Column::Ticker,
        &[
            "ticker symbol",
            "ticker-symbol",
            "symbole boursier",
            "símbolo del ticker",
            "simbolo titolo",
            "tickersymbool",
            "símbolo da ação",
        ],
    ),
    (
        Column::Name,
        &["security name", "wertpapiername", "nom du titre", "nombre del activo", "nome titolo", "naam effect", "nome do ativo"],
    ),
    (Column::Note, &["note", "notiz", "nota", "opmerking"]),
    (Column::Account, &["cash account", "konto", "compte espèces", "cuenta", "conto di cassa", "geldrekening", "conta caixa"]),
    (
        Column::Depot,
        &[
            "securities account",
            "depot",
            "compte-titres",
            "cuenta de valores",
            "conto titoli",
            "effectenrekening",
            "conta de ativos",
        ],
    ),
];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Column {
    Date,
    ExDate,
    Time,
    Type,
    Value,
    Currency,
    Gross,
    GrossCurrency,
    Rate,
    Fees,
    Taxes,
    Shares,
    Isin,
    Wkn,
    Ticker,
    Name,
    Note,
    Account,
    Depot,
}

pub fn names(column: Column) -> &'static [&'static str] {
    COLUMNS.iter().find(|(known, _)| *known == column).map_or(&[], |(_, names)| names)
}
