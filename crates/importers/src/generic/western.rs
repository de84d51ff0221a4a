//! Column titles in English, German, Dutch, French, Spanish, Italian and Portuguese, without accents and punctuation.

use super::field::Field;

pub const MONEY: &str = "amount|total amount|total|value|total value|cash amount|transaction amount|trade value|transaction value|\
consideration|proceeds|cash flow|sum|dividend amount|dividend|dividends|payout|betrag|wert|gesamtbetrag|gesamt|summe|umsatz|dividende|\
dividenden|ausschuttung|bedrag|totaal|totaalbedrag|waarde|montant|montant total|valeur|somme|dividendes|importe|importe total|monto|\
valor|dividendo|dividendos|importo|importo totale|totale|controvalore|valore|dividendi|montante|valor total|quantia|\
valor da operacao|valor de la operacion";

pub const NAMES: &[(Field, &str)] = &[
    (
        Field::Date,
        "date|trade date|transaction date|date time|datetime|timestamp|execution date|activity date|date of transaction|run date|\
pay date|payment date|paid on|payable date|booking date|entry date|order date|created at|settlement date|value date|purchase date|buy date|time|\
datum|handelsdatum|kaufdatum|handelstag|transaktionsdatum|ausfuhrungsdatum|ausfuhrungstag|datum uhrzeit|buchungsdatum|buchungstag|buchung|\
zahltag|zahlungsdatum|wertstellung|valuta datum|valutadatum|transactiedatum|uitvoeringsdatum|boekdatum|boekingsdatum|betaaldatum|\
date d operation|date operation|date de transaction|date de l operation|date d execution|date de negociation|date de paiement|\
date de versement|date de valeur|date valeur|date comptable|\
fecha|fecha de operacion|fecha operacion|fecha de transaccion|fecha de ejecucion|fecha de pago|fecha pago|fecha contable|fecha valor|\
data|data operazione|data di operazione|data esecuzione|data eseguito|data pagamento|data di pagamento|data contabile|data valuta|\
data da operacao|data operacao|data da transacao|data transacao|data do negocio|data de pagamento|data do pagamento|data valor",
    ),
    (Field::Time, "time|trade time|execution time|uhrzeit|zeit|tijd|tijdstip|heure|hora|ora|orario"),
    (
        Field::Type,
        "type|transaction type|action|activity|activity type|transaction|operation|operation type|side|buy sell|buy or sell|\
order type|trade type|event|kind|category|direction|trans code|transaction code|trans type|\
typ|art|transaktionstyp|transaktionsart|transaktion|vorgang|aktion|geschaftsart|auftragsart|umsatzart|buchungsart|\
soort|transactietype|soort transactie|transactie|actie|koop verkoop|\
type d operation|type operation|type de transaction|nature|nature de l operation|sens|\
tipo|tipo de operacion|tipo operacion|tipo de transaccion|operacion|movimiento|accion|\
tipo operazione|tipo di operazione|operazione|segno|causale|\
tipo de operacao|tipo operacao|tipo de transacao|operacao|movimento|movimentacao|compra venda|c v",
    ),
    (
        Field::Symbol,
        "symbol|ticker|ticker symbol|stock symbol|security symbol|instrument symbol|stock ticker|code|stock code|instrument code|\
kurzel|borsenkurzel|tickersymbol|symbole|mnemonique|mnemo|simbolo|codigo|codigo de negociacao|sigla|codice",
    ),
    (Field::Isin, "isin|isin code|isin number|isin nummer|isin nr|isincode|code isin|codigo isin|codice isin"),
    (Field::Cusip, "cusip|cusip number|security id cusip"),
    (
        Field::Name,
        "name|security name|company name|company|instrument name|stock name|asset name|holding name|fund name|security|instrument|\
stock|asset|product|holding|investment|fund|title|shares of|\
wertpapier|wertpapiername|wertpapierbezeichnung|bezeichnung|titel|aktie|unternehmen|produkt|instrumentenname|\
naam|fonds|effect|aandeel|bedrijf|instrument naam|productnaam|\
titre|nom|libelle|valeur|societe|produit|\
nombre|producto|empresa|valor|titulo|activo|\
titolo|nome|strumento|prodotto|descrizione titolo|societa|\
produto|ativo|acao|papel|description|beschreibung|omschrijving|descripcion|descrizione|descricao",
    ),
    (
        Field::Shares,
        "shares|quantity|qty|units|no of shares|number of shares|share quantity|share count|no shares|volume|nominal|filled quantity|\
stuck|stuckzahl|anzahl|menge|anteile|stucke|nominale|anzahl aktien|stuck nominale|stuck nominal|nominal stk|stk|anzahl stuck|\
aantal|aantal aandelen|stuks|\
quantite|nombre|nombre de titres|nombre d actions|parts|nb titres|qte|\
cantidad|titulos|acciones|numero de titulos|participaciones|num titulos|\
quantita|numero|pezzi|azioni|qta|\
quantidade|qtd|qtde|numero de acoes|acoes",
    ),
    (
        Field::Price,
        "price|price per share|share price|price share|unit price|execution price|trade price|price per unit|average price|avg price|fill price|per share|\
dividend per share|amount per share|rate per share|dps|purchase price|asset price|quote|buy price|cost per share|\
kurs|preis|stuckpreis|kaufkurs|kaufpreis|einstandskurs|ausfuhrungskurs|preis pro anteil|kurs pro stuck|preis pro stuck|preis je anteil|dividende pro aktie|dividende je aktie|\
dividende pro stuck|dividende je stuck|einzelpreis|\
koers|prijs|aankoopkoers|aankoopprijs|prijs per aandeel|koers per aandeel|dividend per aandeel|\
cours|prix|prix d achat|prix unitaire|cours d execution|prix par action|dividende par action|cours unitaire|\
precio|precio de compra|precio por accion|precio unitario|precio de ejecucion|dividendo por accion|cotizacion|\
prezzo|prezzo di acquisto|prezzo unitario|prezzo medio|prezzo per azione|prezzo di esecuzione|dividendo per azione|\
preco|preco de compra|preco unitario|preco por acao|preco medio|dividendo por acao|cotacao",
    ),
    (
        Field::Amount,
        "gross amount|gross|gross value|gross total|amount gross|gross dividend|dividend gross|principal|principal amount|subtotal|\
bruttobetrag|brutto|brutto betrag|betrag brutto|bruttodividende|kurswert|brutto wert|dividende brutto|\
brutobedrag|bruto|bruto bedrag|brutodividend|bruto dividend|bruto dividende|\
montant brut|brut|dividende brut|total brut|\
importe bruto|dividendo bruto|efectivo bruto|total bruto|\
importo lordo|lordo|dividendo lordo|totale lordo|\
valor bruto|montante bruto|quantia bruta",
    ),
    (
        Field::Fees,
        "fees|fee|commission|commissions|brokerage|brokerage fee|total fees|fees and commissions|commission fees|commissions and fees|charges|costs|\
transaction costs|transaction fee|transaction fees|stamp duty|other fees|\
gebuhren|gebuhr|provision|provisionen|kommission|spesen|ordergebuhr|transaktionskosten|entgelt|entgelte|ordergebuhren|handelsgebuhr|fremde spesen|\
kosten|transactiekosten|provisie|\
frais|courtage|commission et frais|frais de courtage|\
comision|comisiones|gastos|corretaje|\
commissione|commissioni|spese|spese e commissioni|\
comissao|comissoes|corretagem|custos|emolumentos|encargos",
    ),
    (
        Field::Tax,
        "taxes|tax|withholding tax|tax withheld|withheld tax|withholding|foreign tax|foreign tax paid|wht|tax amount|tax deducted|\
steuern|steuer|quellensteuer|kapitalertragsteuer|kapitalertragssteuer|solidaritatszuschlag|kirchensteuer|\
belasting|dividendbelasting|bronbelasting|ingehouden belasting|bronheffing|\
impot|impots|taxe|taxes retenues|retenue a la source|impot a la source|precompte mobilier|\
impuestos|impuesto|retencion|retenciones|retencion en origen|\
imposte|tasse|ritenuta|ritenute|ritenuta fiscale|tassazione|\
imposto|impostos|retencao|imposto retido|irrf|ir retido",
    ),
    (
        Field::Net,
        "net amount|net|net value|net total|amount net|net dividend|dividend net|net proceeds|net cash|net payout|value net|total net amount|\
nettobetrag|netto|wert netto|netto betrag|betrag netto|nettodividende|endbetrag|auszahlungsbetrag|ausmachender betrag|dividende netto|\
nettobedrag|netto bedrag|waarde netto|bedrag netto|netto dividend|nettodividend|\
montant net|net percu|dividende net|total net|\
importe neto|neto|dividendo neto|total neto|liquido|importe liquido|\
importo netto|dividendo netto|totale netto|\
valor liquido|montante liquido|quantia liquida",
    ),
    (
        Field::Currency,
        "currency|ccy|curr|transaction currency|currency code|price currency|trade currency|instrument currency|share currency|\
currency price share|dividend currency|\
wahrung|transaktionswahrung|handelswahrung|buchungswahrung|wahrungscode|valuta|munt|muntsoort|transactievaluta|\
devise|monnaie|devise de l operation|moneda|divisa|moneda de la operacion|moeda|divisa operazione",
    ),
    (
        Field::Ratio,
        "split ratio|ratio|split factor|splitverhaltnis|verhaltnis|bezugsverhaltnis|splitratio|ratio de split|rapporto|proporcion|proporcao",
    ),
    (
        Field::ExDate,
        "ex date|ex dividend date|exdate|ex div date|ex day|ex tag|ex datum|ex dividend tag|ex dividenden tag|ex dividend datum|ex dividenddatum|\
date ex|date ex dividende|date de detachement|fecha ex|fecha ex dividendo|fecha de corte|data ex|data ex dividendo|data stacco|data di stacco",
    ),
    (Field::Portfolio, "portfolio|portfolio name|depot|depotname|wertpapierdepot|portefeuille|cartera|portafoglio|carteira"),
    (
        Field::Id,
        "id|transaction id|trade id|transaction reference|reference|reference number|transaction number|uuid|unique id|\
transaktions id|transaktionsnummer|referenz|referenznummer|referentie|transactie id|reference de l operation|identifiant|\
referencia|id de transaccion|riferimento|id transazione|id da transacao",
    ),
    (
        Field::Note,
        "note|notes|comment|comments|remark|remarks|memo|details|notiz|notizen|bemerkung|bemerkungen|kommentar|verwendungszweck|opmerking|\
opmerkingen|notitie|commentaire|commentaires|remarque|nota|notas|observaciones|comentario|comentarios|commento|osservazioni|observacoes|\
description|beschreibung|omschrijving|descripcion|descrizione|descricao",
    ),
];
