//! `/whatif`: what a purchase would change about the income. Nothing is stored.

use app::entries::Kind;
use app::explain::{Figure, Question, Supposed};
use app::income::what_if::{self, Figures, Size, WhatIf};
use app::refusal::Purchase;
use app::{App, accounts, portfolios};
use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::request::Parts;
use jiff::tz::TimeZone;
use ledger::{Decimal, Money, shares_text};
use serving::Query;
use uuid::Uuid;

use crate::chart::{self, Bar, Group};
use crate::format::{Html, SHARES_DECIMALS, escaped, figures};
use crate::page::{Section, Shell};
use crate::portfolio_picker::{self, Picker};
use crate::visit::{SignedIn, Visitor, links};
use crate::{Reply, Web};

#[derive(Template)]
#[template(path = "what_if.html")]
struct Page {
    shell: Shell,
    form: Form,
    /// Positions left out for lack of an exchange rate.
    unconverted: Option<String>,
    found: Option<Found>,
}

/// What was typed, and what is wrong with it.
pub struct Form {
    /// Whether the symbol can be changed.
    pub asks_symbol: bool,
    pub symbol: String,
    pub shares: String,
    pub amount: String,
    pub amount_label: String,
    pub picker: Picker,
    pub problem: Option<Problem>,
}

pub struct Problem {
    /// The name of the field.
    pub field: &'static str,
    pub reason: String,
}

struct Found {
    /// The API request that returns the same figures.
    api: String,
    /// The shares and a link to the stock.
    bought: Html,
    /// The price and the portfolio.
    details: Html,
    /// The form of a transaction, filled in.
    record: String,
    has_price: bool,
    cost: Option<Html>,
    added_net: Option<Html>,
    added_gross: Option<Html>,
    yield_pct: Option<Html>,
    rows: Vec<Row>,
    months: Option<Months>,
    months_note: String,
}

/// A figure before and after, and its place in the API's answer.
struct Row {
    name: String,
    path: &'static str,
    before: Option<Html>,
    after: Option<Html>,
}

struct Months {
    chart: String,
    has_before: bool,
    rows: Vec<Month>,
}

struct Month {
    month: usize,
    name: String,
    before: Option<Html>,
    after: Html,
}

const CHARACTERS_MAX: usize = 32;

pub async fn get(State(web): State<Web>, who: SignedIn, parts: Parts) -> Reply {
    let visitor = &who.visitor;
    let mut form = Form::empty(&web.app, &who.visitor, who.user_id()).await?;
    let portfolios = portfolios::list(&web.app, who.user_id()).await?;
    let chosen = portfolio_picker::portfolio(&parts);
    form.picker = Picker::of(portfolios, chosen.as_deref());
    let asked = form.read(visitor, &parts);
    let shell = visitor.shell(visitor.texts.what_if.title, Section::None);
    let size = match asked {
        Ok(Some(size)) => size,
        Ok(None) => return visitor.page(&Page { shell, form, unconverted: None, found: None }),
        Err(problem) => return refused(visitor, shell, form, StatusCode::UNPROCESSABLE_ENTITY, problem),
    };
    let found = what_if::what_if(&web.app, who.user_id(), &form.symbol, size, chosen.as_deref()).await;
    match app::Error::or_refusal(found)? {
        Ok(found) => {
            let unconverted = portfolio_picker::unconverted(visitor, &found.after.income.unconverted);
            let found = Found::new(visitor, &found, size, &form.picker);
            visitor.page(&Page { shell, form, unconverted, found: Some(found) })
        }
        Err(refusal) => {
            let is_unknown = matches!(refusal, app::Refusal::Purchase(Purchase::NoData { .. }));
            let (status, field) = match (is_unknown, size) {
                (true, _) => (StatusCode::NOT_FOUND, "symbol"),
                (false, Size::Shares(_)) => (StatusCode::UNPROCESSABLE_ENTITY, "shares"),
                (false, Size::Amount(_)) => (StatusCode::UNPROCESSABLE_ENTITY, "amount"),
            };
            refused(visitor, shell, form, status, Problem { field, reason: visitor.refusal(&refusal) })
        }
    }
}

fn refused(visitor: &Visitor, shell: Shell, form: Form, status: StatusCode, problem: Problem) -> Reply {
    let form = Form { problem: Some(problem), ..form };
    visitor.page_with(status, &Page { shell, form, unconverted: None, found: None })
}

impl Form {
    async fn empty(app: &App, visitor: &Visitor, user_id: Uuid) -> Result<Form, app::Error> {
        let currency = accounts::me::me(app, user_id).await?.preferred_currency;
        Ok(Form {
            asks_symbol: true,
            symbol: String::new(),
            shares: String::new(),
            amount: String::new(),
            amount_label: visitor.texts.what_if.amount(currency.code()),
            picker: Picker::of_names(Vec::new(), None),
            problem: None,
        })
    }

    pub fn is_wrong(&self, field: &str) -> bool {
        self.problem.as_ref().is_some_and(|problem| problem.field == field)
    }

    /// For the page of a stock.
    pub async fn of_stock(app: &App, visitor: &Visitor, user_id: Uuid, symbol: &str) -> Result<Form, app::Error> {
        let empty = Form::empty(app, visitor, user_id).await?;
        Ok(Form { asks_symbol: false, symbol: symbol.to_owned(), ..empty })
    }

    /// Takes what was typed. `None` if nothing was asked yet.
    fn read(&mut self, visitor: &Visitor, parts: &Parts) -> Result<Option<Size>, Problem> {
        let t = &visitor.texts.what_if;
        let problem = |field, reason: &str| Problem { field, reason: reason.to_owned() };
        let query = Query::parse(parts.uri.query()).map_err(|_| problem("shares", t.nothing))?;
        // A blank value is an error of the query.
        let given = |name: &str| query.text(name).map(|text| text.map(str::to_owned)).unwrap_or(Some(String::new()));
        let (shares, amount) = (given("shares"), given("amount"));
        self.symbol = given("symbol").unwrap_or_default().to_uppercase();
        (self.shares, self.amount) = (shares.clone().unwrap_or_default(), amount.clone().unwrap_or_default());
        if shares.is_none() && amount.is_none() {
            return Ok(None);
        }
        match self.symbol.chars().count() {
            0 => return Err(problem("symbol", visitor.texts.radar.add_nothing)),
            some if some > CHARACTERS_MAX => return Err(problem("symbol", visitor.texts.radar.add_long)),
            _ => {}
        }
        let figure = |field, typed: &str| match figures::parse(typed, &visitor.format) {
            Ok(figure) if figure > Decimal::ZERO => Ok(figure),
            Ok(_) => Err(problem(field, t.not_positive)),
            Err(error) => Err(problem(field, &error.text(visitor.texts))),
        };
        match (self.shares.as_str(), self.amount.as_str()) {
            ("", "") => Err(problem("shares", t.nothing)),
            (shares, "") => figure("shares", shares).map(Size::Shares).map(Some),
            ("", amount) => figure("amount", amount).map(Size::Amount).map(Some),
            _ => Err(problem("amount", t.both)),
        }
    }
}

impl Found {
    fn new(visitor: &Visitor, found: &WhatIf, size: Size, picker: &Picker) -> Found {
        let (t, f) = (&visitor.texts.what_if, visitor.format);
        let [before, after] = asked(found, size, picker);
        let money = |amount: Option<Decimal>, figure| {
            amount.map(|amount| f.money(&Money::new(amount, found.preferred)).explained(after.about(figure)))
        };
        let price = found.price.map(|price| {
            let price = f.per_share(&price).explained(after.of_stock(Figure::Price, &found.symbol));
            Html::sentence([price], |[price]| match found.price_as_of {
                Some(time) => t.at(price, f.date_text(time.to_zoned(TimeZone::UTC).date())),
                None => t.at_price(price),
            })
        });
        let portfolio = picker.is_shown().then(|| Html(escaped(&t.into(found.portfolio.as_str()))));
        let shares = found.shares.round_dp(SHARES_DECIMALS);
        let shown = match size {
            Size::Shares(_) => Html(f.marked(&shares_text(shares))),
            Size::Amount(_) => f.shares(shares).explained(after.about(Figure::BoughtShares)),
        };
        let symbol = escaped(&found.symbol);
        let stock = Html(match found.has_page {
            true => format!("<a class=\"symbol\" href=\"{}\">{symbol}</a>", links::stock(&found.symbol)),
            false => format!("<span class=\"symbol\">{symbol}</span>"),
        });
        Found {
            api: api(found, size, picker.chosen.as_deref()),
            bought: Html::sentence([shown, stock], |[shares, symbol]| t.bought(shares, symbol)),
            details: Html(price.into_iter().chain(portfolio).map(|part| part.to_string()).collect::<Vec<_>>().join(" ")),
            record: record(found, shares, picker),
            has_price: found.price.is_some(),
            cost: money(found.cost.map(|cost| cost.amount), Figure::PurchaseCost),
            added_net: money(found.added_net_income, Figure::AddedNetIncome),
            added_gross: money(found.added_income, Figure::AddedIncome),
            yield_pct: found.yield_pct.map(|pct| f.pct(pct).explained(after.about(Figure::PurchaseYield))),
            rows: rows(visitor, found, size, picker, [&before, &after]),
            months: months(visitor, found, [&before, &after]),
            months_note: t.months_note(found.preferred.code()),
        }
    }
}

fn api(found: &WhatIf, size: Size, portfolio: Option<&str>) -> String {
    let (name, figure) = match size {
        Size::Shares(shares) => ("shares", shares),
        Size::Amount(amount) => ("amount", amount),
    };
    let mut values = vec![("symbol", found.symbol.clone()), (name, shares_text(figure))];
    values.extend(portfolio.map(|portfolio| ("portfolio", portfolio.to_owned())));
    links::with_query("/api/v1/whatif", values)
}

fn record(found: &WhatIf, shares: Decimal, picker: &Picker) -> String {
    let mut values = vec![("kind", Kind::Buy.word().to_owned()), ("symbol", found.symbol.clone())];
    values.push(("shares", shares_text(shares)));
    values.extend(found.price.map(|price| ("price", price.amount.normalize().to_string())));
    values.extend(picker.is_shown().then(|| ("portfolio", found.portfolio.clone())));
    links::with_query("/ledger/new", values)
}

/// How figures before and after are calculated.
fn asked(found: &WhatIf, size: Size, picker: &Picker) -> [Question; 2] {
    let before = Question { portfolio: picker.chosen.clone(), ..Question::of(Figure::AnnualIncome) };
    let supposed = Some(Supposed::Purchase { symbol: found.symbol.clone(), size });
    let after = Question { supposed, ..before.clone() };
    [before, after]
}

fn rows(visitor: &Visitor, found: &WhatIf, size: Size, picker: &Picker, asked: [&Question; 2]) -> Vec<Row> {
    let (t, f) = (&visitor.texts.what_if, visitor.format);
    let money = |amount: Decimal| f.money(&Money::new(amount, found.preferred));
    let symbol = found.symbol.as_str();
    let position = Some(found.portfolio.as_str()).filter(|_| picker.is_shown() && picker.chosen.is_none());
    // Only what an amount buys is a quotient without end.
    let shares = |of: &Figures| match size {
        Size::Amount(_) if of.shares != found.before.shares => f.shares_bought(of.shares),
        _ => f.shares(of.shares),
    };
    let explained = |shown: Html, figure: Figure, of: &Figures, asked: &Question| match figure.of_symbol() {
        Some(false) => shown.explained(asked.about(figure)),
        _ if !of.shares.is_zero() => shown.explained(asked.of_position(figure, symbol, position)),
        _ => shown,
    };
    let row = |name: &str, path, figure: Figure, shown: &dyn Fn(&Figures) -> Option<Html>| {
        let [before, after] = [(&found.before, asked[0]), (&found.after, asked[1])]
            .map(|(of, asked)| shown(of).map(|shown| explained(shown, figure, of, asked)));
        Row { name: name.to_owned(), path, before, after }
    };
    vec![
        row(t.annual_net, "net_annual_income", Figure::NetAnnualIncome, &|of| Some(money(of.income.net_annual))),
        row(t.annual_gross, "annual_income", Figure::AnnualIncome, &|of| Some(money(of.income.annual))),
        row(t.current_yield, "current_yield_pct", Figure::CurrentYield, &|of| of.income.current_yield_pct.map(|pct| f.pct(pct))),
        row(&t.position_shares(symbol), "shares", Figure::Shares, &|of| Some(shares(of))),
        row(&t.position_net(symbol), "net_income", Figure::NetIncome, &|of| of.position_net_income.map(money)),
        row(&t.position_gross(symbol), "income", Figure::Income, &|of| of.position_income.map(money)),
        row(&t.share(symbol), "share_of_income_pct", Figure::ShareOfIncome, &|of| of.share_pct.map(|pct| f.pct(pct))),
    ]
}

/// `None` with too few payers even after the purchase.
fn months(visitor: &Visitor, found: &WhatIf, asked: [&Question; 2]) -> Option<Months> {
    let (t, f) = (&visitor.texts.what_if, visitor.format);
    let after = &found.after.income.income_year.as_ref()?.by_month;
    let before = found.before.income.income_year.as_ref().map(|year| &year.by_month);
    let names = || visitor.texts.shell.months_long.split(' ').zip(visitor.texts.shell.months_short.split(' '));
    let money = |amount| Money::new(amount, found.preferred);
    let bar = |month: &str, when: &str, class, value| {
        Some(Bar { label: String::new(), title: t.bar(month, when, f.money_text(&money(value))), value, class })
    };
    let group = |(at, (long, short)): (usize, (&str, &str))| {
        let earlier = before.map(|before| bar(long, t.before, "s1", before[at]));
        let bars = earlier.into_iter().chain([bar(long, t.after, "s4", after[at])]).collect();
        Group { label: short.to_owned(), bars }
    };
    let groups: Vec<Group> = (0..12).zip(names()).map(group).collect();
    let earlier = before.map(|_| ("s1", t.before));
    let legend: Vec<(&str, &str)> = earlier.into_iter().chain([("s4", t.after)]).collect();
    let tick = |tick: Decimal| f.marked(&tick.to_string());
    let explained = |at: usize, amount, asked: &Question| {
        let month = i8::try_from(at + 1).ok();
        f.money(&money(amount)).explained(Question { month, ..asked.about(Figure::MonthIncome) })
    };
    let row = |(at, (name, _)): (usize, (&str, &str))| Month {
        month: at + 1,
        name: name.to_owned(),
        before: before.map(|before| explained(at, before[at], asked[0])),
        after: explained(at, after[at], asked[1]),
    };
    Some(Months {
        chart: chart::legend(&legend) + &chart::grouped("what-if-months", t.months_chart, &groups, tick),
        has_before: before.is_some(),
        rows: (0..12).zip(names()).map(row).collect(),
    })
}
