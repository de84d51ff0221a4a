//! What a booking is: DEGIRO describes it in a sentence, in the language of the account.

use super::entries::Entry;
use crate::Reason;
use crate::reading::folded;
use crate::reading::trade_text::TradeText;

#[derive(Debug)]
pub enum Sort {
    Trade(TradeText),
    Action(Action, TradeText),
    Dividend,
    /// A fund's distribution of gains.
    Gain,
    Tax,
    Capital,
    /// A cost or tax of a trade.
    Cost,
    /// One side of a currency exchange.
    Exchange,
    Aside(Reason),
    Unknown,
}

/// Corporate actions that are booked as a sale and a purchase.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Action {
    Split,
    /// A change of ISIN or product.
    Change,
    SpinOff,
    /// A merger of companies: shares for shares, or for cash.
    Merger,
    Other,
}

pub fn classify(entry: &Entry) -> Sort {
    let text = folded(&entry.description);
    let has = |words: &str| words.split('|').any(|word| text.contains(word));
    if CASH_FUNDS.split('|').any(|fund| fund == entry.isin) || folded(&entry.product).contains("cash fund") {
        return Sort::Aside(Reason::MoneyMarket);
    }
    if entry.isin.is_empty() && is_pair(&entry.product) {
        return Sort::Exchange;
    }
    let has_side = |trade: &TradeText| trade.side().is_some() || trade.verb.is_empty();
    if let Some(trade) = TradeText::read(&entry.description).filter(has_side) {
        return match action(&folded(&trade.action)) {
            Err(reason) => Sort::Aside(reason),
            Ok(None) => Sort::Trade(trade),
            Ok(Some(action)) => Sort::Action(action, trade),
        };
    }
    match () {
        () if has(MONEY_MARKET) => Sort::Aside(Reason::MoneyMarket),
        () if has(EXCHANGE) || text.starts_with("fx ") => Sort::Exchange,
        () if has(TAX) => Sort::Tax,
        () if has(REINVESTED) => Sort::Aside(Reason::Reinvested),
        () if has(CAPITAL) => Sort::Capital,
        () if has("capital gain|kapitalgewinn|plus-value|ganancia de capital") => Sort::Gain,
        () if has(DIVIDEND) => Sort::Dividend,
        () if has(COST) => Sort::Cost,
        () if has(SETTLED) => Sort::Aside(Reason::CashForShares),
        () if has(PASSED_ON) => Sort::Aside(Reason::AccountFee),
        () if has(INTEREST) => Sort::Aside(Reason::Interest),
        () if text.starts_with("distribution") && !entry.isin.is_empty() => Sort::Dividend,
        () if has(FEE) => Sort::Aside(Reason::AccountFee),
        () => Sort::Unknown,
    }
}

/// `EUR/CHF`
fn is_pair(product: &str) -> bool {
    let code = |text: &str| text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_uppercase());
    product.split_once('/').is_some_and(|(one, other)| code(one) && code(other))
}

fn action(text: &str) -> Result<Option<Action>, Reason> {
    let has = |words: &str| words.split('|').any(|word| text.contains(word));
    match () {
        () if text.is_empty() => Ok(None),
        () if has(MONEY_MARKET) => Err(Reason::MoneyMarket),
        () if has("devise|divisa|currency|valutatransactie|wahrung|walut") => Err(Reason::CurrencyExchange),
        () if has("expir|exercise|assignment|uitoefening|ausubung|verfall") => Err(Reason::unsupported_asset("option")),
        () if has("split|fraccionamiento|frazionamento|desdobramento|desdoblamiento|division d'actions|stepeni") => {
            Ok(Some(Action::Split))
        }
        () if has(INTERNAL)
            || has("isin|productwijziging|product change|produktanderung|produktwechsel|changement de produit")
            || has(
                "cambio de producto|cambio prodotto|cambio di prodotto|mudanca de produto|alteracao de produto|zmiana produktu|\
    zmena produktu",
            ) =>
        {
            Ok(Some(Action::Change))
        }
        () if has("spin-off|spin off|spinoff|afsplitsing|abspaltung|scission|escision|scissione|cisao") => {
            Ok(Some(Action::SpinOff))
        }
        () if has("fusie|fusion|merger|fusao|fuzja|fuze|zusammenschluss|verschmelzung") => Ok(Some(Action::Merger)),
        () => Ok(Some(Action::Other)),
    }
}

// Folded words, separated by a bar.
/// Shares that leave one sub-account and arrive in another at once.
const INTERNAL: &str = "interni prevod|internal transfer|interne overboeking|interner transfer|interner ubertrag|\
    transfert interne|transferencia interna|trasferimento interno|przeniesienie wewnetrzne|transfer wewnetrzny";
/// The funds that cash was kept in, and the bank account that replaced them.
const CASH_FUNDS: &str = "NLFLATEXACNT|NL0010661914|NL0010661930|NL0010661922|LU1959429272|LU1959430106";
const MONEY_MARKET: &str = "cash sweep|geldmarkt|money market|fonds monetaire|fonds monetaires|mercado monetario|\
    fondo monetario|fondos monetarios|mercato monetario|fundo monetario|pienieznego|penezniho trhu|penezniho fondu|\
    flatexdegiro bank";
const EXCHANGE: &str = "valuta creditering|valuta debitering|fx credit|fx debit|fx withdrawal|fx deposit|wahrungswechsel|\
    cambio de divisa|operation de change|credit de devise|debit de devise|credito de divisa|levantamento de divisa|\
    debito de divisa|cambio valuta|cambio di valuta|credito fx|prelievo fx|debito fx|cambio de moeda|konverze meny|\
    wymiana walut|przewalutowan|valutaveksling|valutavaxling";
const TAX: &str = "dividendbelasting|dividend tax|dividendensteuer|dividendsteuer|quellensteuer|withholding tax|\
    impots sur dividende|impot sur dividende|impots sur les dividende|impot sur le dividende|retencion del dividendo|\
    retencion de dividendo|retencion dividendo|retencion sobre dividendo|impuesto sobre dividendo|ritenuta|\
    tassa sui dividendi|imposta sui dividendi|imposto sobre dividendo|imposto sobre o dividendo|imposto sobre os dividendo|\
    imposto de dividendo|impostos sobre dividendo|imposto do dividendo|podatek od dywidend|podatek dywidend|dan z dividend|\
    udbytteskat|utdelningsskatt|kupongskatt|utbytteskatt|osinkovero|osztalekado";
const REINVESTED: &str = "herinvestering|reinvest|wiederanlage|reinversion";
const CAPITAL: &str = "kapitaalsuitkering|kapitaaluitkering|capital return|return of capital|kapitalruckzahlung|\
    kapitalruckfuhrung|kapitalruckerstattung|kapitalherabsetzung|remboursement de capital|remboursement du capital|\
    retour de capital|devolucion de capital|devolucion del capital|reembolso de capital|rendimiento de capital|\
    retorno de capital|rimborso di capitale|rimborso capitale|restituzione di capitale|zwrot kapital|vraceni kapital|\
    vratka kapital";
const DIVIDEND: &str = "dividend|dywidend|udbytte|utdelning|utbytte|osinko|osztalek|ausschuttung|fund distribution|distribucion|\
    distribuzione|distribuicao|uitkering";
const COST: &str = "transactiekosten|transaction and/or|transaction fee|transaction cost|third party fee|transaktionsgebuhr|\
    transaktionskosten|fremdkosten|frais degiro|courtage|frais de transaction|costes de transaccion|comision de transaccion|\
    comisiones de transaccion|costi di transazione|commissioni di transazione|comissoes de transacao|custos de transacao|\
    comissao de transacao|taxas de terceiros|kosztow transakcyjn|koszty transakc|oplaty transakcyjn|oplata transakcyjna|\
    transakcni poplat|transaktionsgebyr|transaktionsavgift|transaksjonsgebyr|autofx|transactiebelasting|transaction tax|\
    stamp duty|taxe sur les transactions|taxe de transaction|impuesto de transaccion|impuesto sobre transaccion|\
    impuesto sobre las transaccion|transaktionssteuer|transaktionsteuer|tassa sulle transazioni|imposta sulle transazioni|\
    tobin|imposto sobre transac|imposto de selo|imposto do selo|beurstaks|operations de bourse|taxe de bourse|ptm levy|\
    podatek od transakcji";
const PASSED_ON: &str = "adr/gdr|gdr/adr|pass-through|corporate action|kapitalmassnahme";
const SETTLED: &str = "verrekening van aandelen|contante verrekening|cash settlement|cash in lieu|settlement of shares|\
    barausgleich|abrechnung von aktien|reglement en especes|liquidacion en efectivo|regolamento in contanti|\
    uitbetaling certificaat|hotovostni vyporadani";
const INTEREST: &str = "interest|rente|zins|interet|interes|interessi|juros|coupon|cupon|kupon|odsetki|urok|\
    securities lending|wertpapierleihe";
const FEE: &str = "kosten|fee|gebuhr|frais|costes|comision|commission|custo|costi|oplata|poplat|naklady|gebyr";
