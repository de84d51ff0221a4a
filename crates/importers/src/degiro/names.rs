//! Titles of DEGIRO's columns in English, Dutch, German, French, Spanish, Portuguese, Italian, Polish, Czech and the Nordic
//! languages: folded, separated by a bar. Some files truncate long titles.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Column {
    Date,
    Time,
    ValueDate,
    Product,
    Isin,
    Description,
    Rate,
    Change,
    Balance,
    Order,
    Exchange,
    Venue,
    Quantity,
    Price,
    LocalValue,
    Value,
    AutoFx,
    Fees,
    Total,
}

pub const ACCOUNT: &[(Column, &str)] = &[
    (Column::Date, "date|datum|fecha|data|dato|paivamaara"),
    (Column::Time, "time|tijd|uhrzeit|uhrze|zeit|heure|hora|ora|czas|cas|tid|tidspunkt"),
    (
        Column::ValueDate,
        "value date|value|valutadatum|valutadato|wertdatum|valuta|date de valeur|date de|fecha valor|fecha de valor|\
         data valor|data de valor|data valuta|data valore|data waluty|data ksiegowania|datum valuty",
    ),
    (Column::Product, "product|produkt|produit|producto|prodotto|produto"),
    (Column::Isin, "isin|code isin|kod isin|codigo isin|codice isin"),
    (
        Column::Description,
        "description|omschrijving|beschreibung|descripcion|descrizione|descricao|opis|popis|beskrivelse|beskrivning|libelle",
    ),
    (Column::Rate, "fx|borsa|tipo de cambio|tipo|tasso di cambio|t.|taxa|kurs|kurz"),
    (
        Column::Change,
        "change|mutatie|anderung|mouvements|mouvement|variacion|variazioni|variazione|mudanca|variacao|zmiana|zmena|aendring|\
         andring|endring|mutation|variation|amount",
    ),
    (Column::Balance, "balance|saldo|kontostand|solde|stan|zustatek"),
    (
        Column::Order,
        "order id|order-id|orderid|auftrags-id|id ordre|id de l'ordre|id orden|id de la orden|id ordine|id da ordem|id ordem|\
         id zlecenia|identyfikator zlecenia|id objednavky|ordre-id|ordre id",
    ),
];

pub const TRANSACTIONS: &[(Column, &str)] = &[
    (Column::Date, "date|datum|fecha|data|dato"),
    (Column::Time, "time|tijd|uhrzeit|uhrze|zeit|heure|hora|ora|czas|cas|tid|tidspunkt"),
    (Column::Product, "product|produkt|produit|producto|prodotto|produto"),
    (Column::Isin, "isin|code isin|kod isin|codigo isin|codice isin"),
    (
        Column::Exchange,
        "reference exchange|reference|exchange|beurs|referenzborse|borse|handelsplatz|bourse|place boursiere|place de|bolsa|\
         borsa|gielda|referencni burza|bors",
    ),
    (
        Column::Venue,
        "venue|execution venue|uitvoeringsplaats|ausfuhrungsort|lieu d'execution|centro de ejecucion|sede di esecuzione|\
         luogo di esecuzione|local de execucao|miejsce wykonania",
    ),
    (Column::Quantity, "quantity|number|aantal|anzahl|quantite|numero|cantidad|quantita|quantidade|liczba|pocet|antal|antall"),
    (Column::Price, "price|koers|kurs|cours|precio|quotazione|prezzo|preco|precos|kurz|cena"),
    (
        Column::LocalValue,
        "local value|lokale waarde|wert in lokalwahrung|wert in lokaler wahrung|lokaler wert|valeur locale|\
         montant devise locale|devise locale|valor local|valore locale|wartosc lokalna|mistni hodnota|lokal vaerdi|\
         lokalt varde",
    ),
    (Column::Value, "value|waarde|wert|valeur|montant|valor|valore|wartosc|hodnota|vaerdi|varde|verdi"),
    (
        Column::Rate,
        "exchange rate|wisselkoers|wechselkurs|taux de change|tipo de cambio|tasso di cambio|tasso di|taxa de cambio|\
         kurs wymiany|kurs wymian|smenny kurz|vekselkurs|valutakurs|vaxelkurs",
    ),
    (
        Column::AutoFx,
        "autofx|autofx fee|autofx kosten|autofx-gebuhr|frais autofx|comision autofx|costo autofx|commissione autofx|\
         custo autofx|taxa autofx|oplata autofx|oplaty autofx",
    ),
    (
        Column::Fees,
        "transaction|transaction and/or third party fees|transaction and/or third|transaction and/or|transaction costs|\
         transaction fees|fee|fees|transactiekosten|kosten|transaktionsgebuhren|transaktionsgebuhr|transaktionskosten|gebuhr|\
         gebuhren|frais|frais de courtage|frais de transaction|costes|costes de transaccion|comision|costi|\
         costi di transazione|commissioni|commissioni di|custos|custos de transacao|comissao|comissoes|oplata|oplaty|\
         oplata transakcyjna|prowizja|transakcni poplatky|poplatek|gebyr",
    ),
    (Column::Total, "total|totaal|gesamt|gesamtbetrag|totale|razem|celkem|i alt|totalt"),
    (
        Column::Order,
        "order id|order-id|orderid|auftrags-id|id ordre|id de l'ordre|id orden|id de la orden|id ordine|id da ordem|id ordem|\
         id zlecenia|identyfikator zlecenia|id objednavky|ordre-id|ordre id",
    ),
];
