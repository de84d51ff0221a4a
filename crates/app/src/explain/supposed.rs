//! Figures as if something was recorded that is not.

use ledger::cash::Given;
use ledger::explain::{self, Node, Source, Unit};
use ledger::{Decimal, Money, Overflow};
use uuid::Uuid;

use super::figures::of_book;
use super::positions::Explained;
use super::question::{Figure, Question, Supposed};
use crate::book::Book;
use crate::entries::{self, Change, Draft, Entry, Kind, Reinvested};
use crate::income::what_if::{Considered, Size, refused};
use crate::{App, Error};

/// Stands in a node for the transaction that is only supposed.
pub const UNSAVED: &str = "unsaved";

pub(super) async fn explain(app: &App, user_id: Uuid, question: &Question, supposed: &Supposed) -> Result<Option<Node>, Error> {
    let found = match supposed {
        Supposed::Purchase { symbol, size } => purchase(app, user_id, question, symbol, *size).await.map_err(refused),
        Supposed::Entry { editing, draft } => entry(app, user_id, question, *editing, draft).await,
    };
    Ok(Error::or_refusal(found)?.unwrap_or_default())
}

async fn purchase(app: &App, user_id: Uuid, question: &Question, symbol: &str, size: Size) -> Result<Option<Node>, Error> {
    let mut book = Book::open(app, user_id, question.portfolio.as_deref()).await?;
    let rates = book.rates_source().await?;
    let considered = Considered::new(&mut book, symbol, size).await?;
    let sequence = book.next_sequence().await?;
    let before = position(&mut book, &considered, &rates).await?;
    considered.suppose(&mut book).await?;
    let after = position(&mut book, &considered, &rates).await?;
    let preferred = book.account.user.preferred_currency;
    let added = |name, is_net| -> Result<Option<Node>, Error> {
        let Some(after) = after.exact_income(is_net)?.and_then(paying) else { return Ok(None) };
        let before = before.exact_income(is_net)?.and_then(paying);
        Ok(Some(explain::added(name, after, before, preferred).ok_or(Overflow)?))
    };
    let name = question.figure.as_str();
    let amount = |node: Node| node.rounded(preferred.minor_units());
    let node = match question.figure {
        Figure::AddedIncome => added(name, false)?.map(amount),
        Figure::AddedNetIncome => added(name, true)?.map(amount),
        Figure::PurchaseCost => cost(&book, &after, size, &rates)?.map(amount),
        Figure::PurchaseYield => {
            let parts = added("added_income", false)?.zip(cost(&book, &after, size, &rates)?);
            parts.and_then(|(added, cost)| explain::purchase_yield(added, cost))
        }
        Figure::BoughtShares => after.priced().map(|(price, _)| shares(&book, price, size, &rates)).transpose()?,
        _ => of_book(&mut book, question, None, rates).await?.and_then(|node| counted(question.figure, node)),
    };
    Ok(node.map(|node| unsaved(node, &[sequence.to_string()])))
}

/// The position that the purchase adds to.
async fn position(book: &mut Book<'_>, considered: &Considered, rates: &Source) -> Result<Explained, Error> {
    let mut explained = Explained::load(book, Some(&considered.symbol), rates.clone()).await?;
    explained.keep_portfolio(book.account.name_of(considered.portfolio_id));
    Ok(explained)
}

/// Not rounded; `None` without a price or an exchange rate.
fn cost(book: &Book<'_>, after: &Explained, size: Size, rates: &Source) -> Result<Option<Node>, Error> {
    let Some((price, exchange)) = after.priced() else { return Ok(None) };
    let shares = shares(book, price.clone(), size, rates)?;
    Ok(Some(explain::purchase_cost(shares, price, exchange).ok_or(Overflow)?))
}

fn shares(book: &Book<'_>, price: Node, size: Size, rates: &Source) -> Result<Node, Error> {
    match size {
        Size::Shares(shares) => Ok(entered(Node::number("bought_shares", shares, Unit::Shares))),
        Size::Amount(amount) => {
            let preferred = book.account.user.preferred_currency;
            let amount = entered(Node::money("purchase_amount", Money::new(amount, preferred)));
            let Unit::Money(currency) = price.unit else { return Err(Overflow.into()) };
            let exchange = explain::exchange(&book.fx, preferred, currency, book.today, rates).ok_or(Overflow)?;
            Ok(explain::bought_shares(amount, price, exchange).ok_or(Overflow)?)
        }
    }
}

async fn entry(
    app: &App,
    user_id: Uuid,
    question: &Question,
    editing: Option<i64>,
    draft: &Draft,
) -> Result<Option<Node>, Error> {
    let Some((change, trades_in)) = entries::supposed(app, user_id, editing, draft).await? else { return Ok(None) };
    let entry = change.entry();
    let mut book = Book::open(app, user_id, None).await?;
    if question.figure.is_of_form() {
        let is_estimated = entry.kind == Kind::Dividend && editing.is_none() && draft.tax.is_none() && draft.net.is_none();
        // As the form suggests it.
        let is_estimated = is_estimated && book.stock(&entry.symbol).await?.is_some();
        let withheld = if is_estimated { book.explained_withholding_of_symbol(&entry.symbol).await? } else { None };
        return amount(question.figure, &change, draft, withheld);
    }
    let rates = book.rates_source().await?;
    let sequences: Vec<String> = change.after.iter().map(|entry| entry.sequence.to_string()).collect();
    let position = Some(book.account.name_of(entry.portfolio_id).to_owned());
    let question = Question { symbol: Some(entry.symbol.clone()), position, ..question.clone() };
    book.day = question.to.unwrap_or(book.today);
    book.suppose(&change.before, change.after, trades_in).await?;
    let node = of_book(&mut book, &question, None, rates).await?;
    Ok(node.and_then(|node| counted(question.figure, node)).map(|node| unsaved(node, &sequences)))
}

/// Of the form alone. `withheld` is the rate of an estimated tax.
fn amount(figure: Figure, change: &Change, draft: &Draft, withheld: Option<Node>) -> Result<Option<Node>, Error> {
    let entry = change.entry();
    let money = Unit::Money(entry.currency);
    let given = |name, figure: Option<Decimal>, unit| figure.map(|figure| entered(Node::number(name, figure, unit)));
    let mut given = Given {
        shares: given("shares", draft.shares, Unit::Shares),
        price: given("price", draft.price, money),
        amount: given("amount", draft.amount, money),
        fees: given("fees", draft.fees, money),
        tax: given("withheld", draft.tax, money),
        net: given("net", draft.net, money),
    };
    let amount = explain::entry_amount(entry.kind, given.clone());
    if let Some((withheld, amount)) = withheld.zip(amount.clone()) {
        let [_, tax, _] = explain::estimated(amount, withheld, entry.currency).ok_or(Overflow)?;
        given.tax = Some(tax);
    }
    Ok(match figure {
        Figure::EntryAmount => amount,
        Figure::EntryTax => given.tax.map(|tax| tax.named(figure.as_str())),
        Figure::EntryNet => explain::entry_net(entry.kind, given),
        _ => match (explain::entry_net(entry.kind, given), change.after.get(1)) {
            (Some(net), Some(purchase)) => {
                let figures = |one: &Entry| (one.sequence, one.shares, one.price, one.amount);
                let is_kept = change.before.iter().any(|before| figures(before) == figures(purchase));
                reinvested(figure, net, purchase, draft, is_kept)?
            }
            _ => None,
        },
    })
}

/// What the net amount of a dividend buys, or bought if the purchase stays as it is recorded.
fn reinvested(figure: Figure, net: Node, purchase: &Entry, draft: &Draft, is_kept: bool) -> Result<Option<Node>, Error> {
    let Reinvested::Yes { shares, price } = draft.reinvested else { return Ok(None) };
    let money = Unit::Money(purchase.currency);
    let shares = shares.map(|shares| entered(Node::number("reinvested_shares", shares, Unit::Shares)));
    let price = price.map(|price| entered(Node::number("reinvested_price", price, money)));
    let fees = purchase.fees.map(|fees| Node::number("fees", fees, money).with_source(Source::Ledger));
    let net = explain::reinvested_net(net, fees).ok_or(Overflow)?;
    Ok(match (figure, shares, price) {
        (Figure::ReinvestedShares, Some(shares), _) => Some(shares),
        (Figure::ReinvestedShares, None, Some(price)) => explain::reinvested_shares(net, price),
        (Figure::ReinvestedPrice, _, Some(price)) => Some(price),
        (Figure::ReinvestedPrice, Some(shares), None) => explain::reinvested_price(net, shares),
        (Figure::ReinvestedCost, ..) if is_kept => purchase.amount.map(|amount| {
            let recorded = Node::number(figure.as_str(), amount, money).with_source(Source::Ledger);
            recorded.with_rows([purchase.sequence.to_string()])
        }),
        (Figure::ReinvestedCost, ..) if purchase.amount.is_some() => Some(net.named(figure.as_str())),
        (Figure::ReinvestedCost, Some(shares), Some(price)) => explain::reinvested_cost(shares, price),
        _ => None,
    })
}

fn entered(node: Node) -> Node {
    node.with_source(Source::Ledger).with_rows([UNSAVED.to_owned()])
}

fn counted(figure: Figure, node: Node) -> Option<Node> {
    match figure {
        Figure::Income | Figure::NetIncome | Figure::ShareOfIncome => paying(node),
        _ => Some(node),
    }
}

/// The income of a stock that pays nothing is zero; `None` without an exchange rate.
fn paying(node: Node) -> Option<Node> {
    let reason = node.inputs.iter().find(|input| input.name == "reason").and_then(Node::value_text);
    match (&node.value, reason.as_deref()) {
        (None, Some("no_exchange_rate")) => None,
        _ => Some(explain::unknown_as_zero(node)),
    }
}

/// With [`UNSAVED`] instead of the sequences of what is supposed.
fn unsaved(node: Node, sequences: &[String]) -> Node {
    let is_it = |row: &String| node.source == Some(Source::Ledger) && sequences.contains(row);
    let rows = node.rows.iter().map(|row| if is_it(row) { UNSAVED.to_owned() } else { row.clone() }).collect();
    let inputs = node.inputs.into_iter().map(|input| unsaved(input, sequences)).collect();
    Node { rows, inputs, ..node }
}
