//! A list whose columns have titles, such as a broker's export of positions.

use std::collections::BTreeMap;

use jiff::civil::Date;
use ledger::{Currency, Decimal, QuoteUnit};

use super::grid::{Cells, Grid};
use super::{Position, TITLES, dates};
use crate::Reason;
use crate::generic::Field;
use crate::generic::looks::{is_currency, is_day, is_figure, is_isin, is_type, unit, unit_beside};
use crate::generic::names::{fits, is_about, parted, plain, without_currency};
use crate::reading::{Order, folded, suffix_of_mic, us_security};

const HEADER_WITHIN: usize = 40;
/// Rows below a header that are examined to learn what its columns contain.
const LOOKED_AT: usize = 200;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Column {
    Symbol,
    Isin,
    Cusip,
    Name,
    Shares,
    Average,
    Total,
    /// A price or a cost that may be of one share or of all, now or at the purchase.
    Unclear,
    Currency,
    Asset,
    AsOf,
    Portfolio,
}

pub struct Titled<'g, 'a> {
    grid: &'g Grid<'a>,
    /// The header's index among the rows.
    at: usize,
    columns: BTreeMap<Column, usize>,
    order: Order,
    /// Of the cost, by the title of its column.
    cost_currency: Option<Currency>,
    layout: Layout,
}

/// Whose list it is, as far as that matters.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Layout {
    /// Nothing but what a list of positions needs: somebody wrote it, with our own symbols.
    Plain,
    /// A broker in the United States: dollars and the tickers there.
    UnitedStates,
    /// A pie of Trading 212, whose costs are in a currency that the file does not name.
    Pie,
    Other,
}

impl<'g, 'a> Titled<'g, 'a> {
    pub fn find(grid: &'g Grid<'a>) -> Option<Titled<'g, 'a>> {
        (0..grid.rows.len().min(HEADER_WITHIN)).find_map(|at| Titled::at(grid, at))
    }

    fn at(grid: &'g Grid<'a>, at: usize) -> Option<Titled<'g, 'a>> {
        let titles = &grid.rows.get(at)?.cells;
        if titles.iter().any(|title| is_figure(title) || is_day(title) || is_isin(title)) {
            return None;
        }
        let names: Vec<String> = titles.iter().map(|title| known_name(title)).collect();
        let mut columns = BTreeMap::new();
        for (place, name) in names.iter().enumerate() {
            let Some(column) = column_of(name) else { continue };
            let in_its_currency = |place: usize| without_currency(titles[place]).1.is_none();
            match columns.get(&column).copied() {
                None => drop(columns.insert(column, place)),
                // Of two averages, the one in the security's own currency.
                Some(first) if column == Column::Average && !in_its_currency(first) && in_its_currency(place) => {
                    columns.insert(column, place);
                }
                Some(_) => {}
            }
        }
        let by_symbol_or_isin = names.iter().any(|name| name.ends_with(" isin") && column_of(name) == Some(Column::Symbol));
        if let Some(amount) = names.iter().position(|name| name == "amount").filter(|_| by_symbol_or_isin) {
            columns.entry(Column::Shares).or_insert(amount);
        }
        let is_valued = names.iter().any(|name| TITLES.words_for("value").contains(&name.as_str()));
        if let Some(cost) = names.iter().position(|name| name == "cost").filter(|_| is_valued) {
            columns.entry(Column::Total).or_insert(cost);
        }
        let has = |column: Column| columns.contains_key(&column);
        let is_costed = has(Column::Average) || has(Column::Total);
        let is_valued = is_costed || is_valued;
        let is_named = has(Column::Symbol) || has(Column::Isin) || (has(Column::Name) && is_valued);
        if !is_named || !has(Column::Shares) {
            return None;
        }
        let mut found = Titled { grid, at, columns, order: Order::MonthFirst, cost_currency: None, layout: layout(&names) };
        if found.is_about_transactions(&names, is_costed) || !found.rows().take(LOOKED_AT).any(|row| found.is_position(row)) {
            return None;
        }
        found.look_for_currency(&names);
        let days = found.columns.get(&Column::AsOf).copied();
        found.order = Order::sniffed(found.rows().filter_map(|row| row.text(days?)));
        let cost = [Column::Average, Column::Total].iter().find_map(|column| found.columns.get(column));
        found.cost_currency = cost.and_then(|place| without_currency(titles.get(*place)?).1);
        Some(found)
    }

    /// A type of transaction in each row, a date that is not that of the list, or shares that go on a date.
    fn is_about_transactions(&self, names: &[String], is_costed: bool) -> bool {
        let has_date = self.columns.contains_key(&Column::AsOf);
        let goes = |row: &Cells<'a>| self.text(row, Column::Shares).is_some_and(|shares| shares.starts_with(['-', '(']));
        if has_date && self.rows().take(LOOKED_AT).any(goes) {
            return true;
        }
        names.iter().enumerate().any(|(place, name)| {
            let is_security = [Column::Symbol, Column::Name].iter().any(|column| self.columns.get(column) == Some(&place));
            let is_typed = || self.rows().take(LOOKED_AT).filter_map(|row| row.text(place)).any(is_type);
            let is_dated = fits(Field::Date, name).is_some() || fits(Field::Time, name).is_some();
            let of_list = self.columns.get(&Column::AsOf) == Some(&place);
            (!is_security && is_typed()) || (is_dated && !(of_list && is_costed)) || (has_date && is_about("purchases", name))
        })
    }

    fn is_position(&self, row: &Cells<'a>) -> bool {
        self.names_a_security(row) && self.text(row, Column::Shares).is_some_and(is_figure)
    }

    fn names_a_security(&self, row: &Cells<'a>) -> bool {
        [Column::Symbol, Column::Isin, Column::Cusip, Column::Name].iter().any(|column| self.text(row, *column).is_some())
    }

    /// Some brokers write the currency before a value, below the same title.
    fn look_for_currency(&mut self, names: &[String]) {
        let of_currencies = |place: &usize| {
            let mut cells = self.rows().take(LOOKED_AT).filter_map(|row| row.text(*place)).peekable();
            cells.peek().is_some() && cells.all(is_currency)
        };
        let taken: Vec<usize> = self.columns.values().copied().collect();
        let free = (0..names.len()).filter(|place| !taken.contains(place)).find(of_currencies);
        if let Some(place) = free.filter(|_| !self.columns.contains_key(&Column::Currency)) {
            self.columns.insert(Column::Currency, place);
        }
    }

    pub fn line(&self) -> u64 {
        self.grid.rows[self.at].line
    }

    pub fn rows(&self) -> impl Iterator<Item = &'g Cells<'a>> + use<'g, 'a> {
        self.grid.rows.iter().skip(self.at + 1)
    }

    /// The date of the whole list, from a text above or below it.
    pub fn date(&self) -> Option<Date> {
        let above = self.grid.rows.iter().take(self.at);
        let below = self.rows().filter(|row| row.texts().count() == 1);
        let order = (self.layout == Layout::UnitedStates).then_some(Order::MonthFirst);
        dates::of_texts(above.chain(below).flat_map(Cells::texts), order)
    }

    fn text(&self, row: &Cells<'a>, column: Column) -> Option<&'a str> {
        self.columns.get(&column).and_then(|place| row.text(*place))
    }

    /// The inner error is why the row is skipped.
    pub fn read(&self, row: &Cells<'a>) -> Result<Result<Position, Reason>, Reason> {
        let text = |column| self.text(row, column);
        let first = text(Column::Symbol).or(text(Column::Name)).or_else(|| row.texts().next()).map(folded).unwrap_or_default();
        if let Some(reason) = self.skip_reason(row, &first) {
            return Ok(Err(reason));
        }
        let Some(shares) = text(Column::Shares) else { return Err(Reason::missing("shares")) };
        let shares = self.grid.figure("shares", shares)?;
        if shares <= Decimal::ZERO {
            return Ok(Err(if shares.is_zero() { Reason::NoShares } else { Reason::ShortSale }));
        }
        let stated = text(Column::Currency).map(unit).transpose()?;
        let mut position = Position {
            line: row.line,
            date: text(Column::AsOf).map(|text| crate::reading::day("date", text, self.order)).transpose()?,
            isin: text(Column::Isin).or(text(Column::Symbol)).filter(|isin| is_isin(isin)).map(str::to_uppercase),
            cusip: text(Column::Cusip).and_then(us_security::cusip),
            name: text(Column::Name).map(str::to_owned),
            portfolio: text(Column::Portfolio).map(str::to_owned),
            currency: stated.map(|unit| unit.currency),
            ..Position::of(row.line, shares)
        };
        self.cost(row, stated, &mut position)?;
        self.identify(text(Column::Symbol).filter(|symbol| !is_isin(symbol)), &mut position);
        Ok(Ok(position))
    }

    fn skip_reason(&self, row: &Cells<'a>, first: &str) -> Option<Reason> {
        let begins = |meaning: &str| {
            let mut words = TITLES.words_for(meaning).iter();
            words.any(|word| first.strip_prefix(word).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric)))
        };
        let symbol = self.text(row, Column::Symbol).unwrap_or_default();
        let is_option = self.layout == Layout::UnitedStates && (symbol.starts_with('-') || symbol.contains(' '));
        let asset = self.text(row, Column::Asset).map(plain);
        let kinds = ["option", "bond", "crypto", "cfd", "future", "warrant", "cash"];
        let kind = kinds
            .into_iter()
            .find(|kind| asset.as_deref().is_some_and(|asset| TITLES.words_for(&format!("kind {kind}")).contains(&asset)));
        match kind {
            _ if row.texts().count() < 2 => Some(Reason::Remark),
            _ if begins("row total") => Some(Reason::Total),
            _ if !self.names_a_security(row) => Some(Reason::Remark),
            _ if begins("row cash") && self.text(row, Column::Isin).is_none() => Some(Reason::Cash),
            Some("cash") => Some(Reason::Cash),
            _ if symbol.ends_with("**") => Some(Reason::MoneyMarket),
            Some(kind) => Some(Reason::unsupported_asset(kind)),
            None if is_option => Some(Reason::unsupported_asset("option")),
            None => None,
        }
    }

    /// Per share if the list has that: the total may be in another currency.
    fn cost(&self, row: &Cells<'a>, stated: Option<QuoteUnit>, position: &mut Position) -> Result<(), Reason> {
        let (average, total) = (self.text(row, Column::Average), self.text(row, Column::Total));
        let Some(written) = average.or(total) else {
            let title = |place: &usize| self.grid.rows[self.at].text(*place);
            let unclear = self.text(row, Column::Unclear).zip(self.columns.get(&Column::Unclear).and_then(title));
            position.note = unclear.filter(|_| self.layout == Layout::Plain).map(|(cell, title)| format!("{title}: {cell}"));
            return Ok(());
        };
        let figure = self.grid.figure("cost", written)?.abs();
        let by_title = self.cost_currency.map(QuoteUnit::from);
        let dollars = us_security::dollars().filter(|_| self.layout == Layout::UnitedStates).map(QuoteUnit::from);
        let unit = by_title.or(stated).or_else(|| unit_beside(written)).or(dollars);
        let is_in_parts = unit.is_some_and(|unit| unit != unit.currency.into());
        // Whether a total beside prices in pence is in pence or in pounds, nobody says.
        if average.is_none() && (is_in_parts || (unit.is_none() && self.layout == Layout::Pie)) {
            return Ok(());
        }
        position.currency = unit.map(|unit| unit.currency);
        position.quoted = unit.is_none();
        let figure = Some(unit.map_or(figure, |unit| unit.normalise(figure)));
        match average {
            Some(_) => position.price = figure,
            None => position.amount = figure,
        }
        Ok(())
    }

    fn identify(&self, symbol: Option<&str>, position: &mut Position) {
        let Some(symbol) = symbol else { return };
        match self.layout {
            Layout::Plain => position.by_own_symbol(symbol),
            Layout::UnitedStates if us_security::is_number(symbol) => position.cusip = us_security::cusip(symbol),
            Layout::UnitedStates => {
                position.ticker = us_security::ticker(symbol);
                position.suffix = Some("");
                position.currency = position.currency.or_else(us_security::dollars);
            }
            Layout::Pie | Layout::Other => {
                let market = symbol.split_once(':').and_then(|(ticker, mic)| Some((ticker, suffix_of_mic(mic)?)));
                position.suffix = market.map(|(_, suffix)| suffix);
                position.ticker = Some(market.map_or(symbol, |(ticker, _)| ticker).to_owned());
            }
        }
    }
}

/// The title without its currency, split into words if it is written as one.
fn known_name(title: &str) -> String {
    let (bare, _) = without_currency(title);
    let parted = plain(&parted(title));
    let is_known =
        |name: &str| column_of(name).is_some() || [Field::Date, Field::Type].iter().any(|field| fits(*field, name).is_some());
    if !is_known(&bare) && is_known(&parted) { parted } else { bare }
}

fn column_of(name: &str) -> Option<Column> {
    let own = |meaning: &str| TITLES.words_for(meaning).contains(&name);
    let known = |field: Field| fits(field, name).is_some();
    match () {
        () if own("symbol") || known(Field::Symbol) => Some(Column::Symbol),
        () if known(Field::Isin) => Some(Column::Isin),
        () if known(Field::Cusip) => Some(Column::Cusip),
        () if own("average") => Some(Column::Average),
        () if own("total") => Some(Column::Total),
        () if own("unclear") => Some(Column::Unclear),
        () if own("value") => None,
        () if own("shares") || known(Field::Shares) => Some(Column::Shares),
        () if own("asset") => Some(Column::Asset),
        () if known(Field::Name) => Some(Column::Name),
        () if known(Field::Currency) => Some(Column::Currency),
        () if own("as of") => Some(Column::AsOf),
        () if known(Field::Portfolio) => Some(Column::Portfolio),
        () => None,
    }
}

fn layout(names: &[String]) -> Layout {
    let has = |name: &str| names.iter().any(|known| known == name);
    match () {
        () if has("slice") && has("owned quantity") => Layout::Pie,
        () if has("account number") && has("last price") => Layout::UnitedStates,
        () if has("security type") && has("cost basis") => Layout::UnitedStates,
        () if names.iter().filter(|name| !name.is_empty()).all(|name| column_of(name).is_some()) => Layout::Plain,
        () => Layout::Other,
    }
}
