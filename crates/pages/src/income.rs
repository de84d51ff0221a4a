//! `/`: forward income, its months, sources and projection.

use app::explain::{Figure, Question};
use app::income::home::home;
use app::income::upcoming::Upcoming;
use app::income::{Outlook, outlook};
use askama::Template;
use axum::extract::State;
use axum::http::request::Parts;
use ledger::{Basis, Decimal, Likely, Money};
use serving::Query;

use crate::chart::{self, Band, Bar, Point, Series};
use crate::dividends::{Growth, growth, last_12_months, missing};
use crate::format::Html;
use crate::page::{Section, Shell};
use crate::securities::Gaps;
use crate::upcoming::{self, Below, Payment};
use crate::visit::{SignedIn, Visitor, links};
use crate::{Reply, Web, is_fragment, portfolio_picker};

#[derive(Template)]
#[template(path = "income.html")]
struct Page<'a> {
    shell: Shell,
    /// The API request that returns the same figures.
    api: String,
    picker: portfolio_picker::Picker,
    content: Content,
    /// Whether market data can still arrive.
    has_provider: bool,
    gross: Html,
    /// The range of the gross income.
    likely: Option<Html>,
    net: Html,
    month: Html,
    yield_now: Option<Html>,
    growth: Option<Html>,
    months: Option<Months>,
    sources: Vec<Source>,
    received: Html,
    received_growth: Option<Growth>,
    status_api: String,
    next_api: String,
    next: Vec<Payment<'a>>,
    projection: Projection,
    unconverted: Option<String>,
    outdated_rates: Option<String>,
    /// What is missing, with the link to its page.
    missing: Option<(Html, String)>,
    gaps: Gaps,
}

#[derive(PartialEq)]
enum Content {
    Empty,
    WithoutIncome,
    Full,
}

struct Months {
    note: String,
    chart: String,
    average: Html,
    rows: Vec<(i8, String, Html)>,
    thin: Option<String>,
    empty: Option<String>,
    biggest: Html,
}

struct Source {
    symbol: String,
    link: String,
    portfolio: Option<String>,
    income: Html,
    net: Html,
    share: Option<Html>,
    from_history: bool,
}

#[derive(Template)]
#[template(path = "projection.html")]
struct ProjectionPart {
    shell: Shell,
    api: String,
    projection: Projection,
}

struct Projection {
    years: u32,
    drip: bool,
    chart: String,
    rows: Vec<(usize, String, Html, Html)>,
}

const SOURCES_SHOWN: usize = 8;
/// How many of the next payments are shown, and how many days ahead they may be.
const NEXT_SHOWN: usize = 3;
const NEXT_DAYS: i64 = 120;

pub async fn get(State(web): State<Web>, who: SignedIn, parts: Parts) -> Reply {
    let visitor = &who.visitor;
    let params = Params::parse(&parts);
    let portfolio = params.portfolio.as_deref();
    let api = params.api();
    let asked = Question { portfolio: params.portfolio.clone(), ..Question::of(Figure::AnnualIncome) };
    let shell = visitor.shell(visitor.texts.income.title, Section::Income);
    if is_fragment(&parts) {
        let seen = outlook(&web.app, who.user_id(), portfolio, params.years, params.drip).await?;
        return visitor.page(&ProjectionPart { shell, api, projection: projection(visitor, &seen, &params, &asked) });
    }
    let home = home(&web.app, who.user_id(), portfolio, params.years, params.drip, NEXT_DAYS as i32).await?;
    let (seen, received) = (home.outlook, home.received);
    let gaps = Gaps::load(&web, &who, &seen.income.coverage.without_data).await?;
    let missing = app::automatic::suggestions(&web.app, who.user_id(), portfolio).await?;
    let f = visitor.format;
    let money = |amount| Money::new(amount, seen.preferred);
    let about = |figure| asked.about(figure);
    let twelfth = seen.income.net_annual.checked_div(Decimal::from(12)).unwrap_or_default();
    let page = Page {
        api,
        picker: portfolio_picker::Picker::of_names(home.portfolios, portfolio),
        content: match (home.holds, seen.income.sources.is_empty()) {
            (false, _) => Content::Empty,
            (true, true) => Content::WithoutIncome,
            (true, false) => Content::Full,
        },
        has_provider: !web.app.sources().is_empty(),
        gross: f.money(&money(seen.income.annual)).explained(&asked),
        likely: seen.income.likely.map(|likely| {
            let low = f.money(&money(likely.low)).explained(about(Figure::LikelyLow));
            let high = f.money(&money(likely.high)).explained(about(Figure::LikelyHigh));
            Html::sentence([low, high], |[low, high]| visitor.texts.income.likely(low, high))
        }),
        net: f.money(&money(seen.income.net_annual)).explained(about(Figure::NetAnnualIncome)),
        month: f.money(&money(twelfth)).explained(about(Figure::MonthlyAverage)),
        yield_now: seen.income.current_yield_pct.map(|pct| f.pct(pct).explained(about(Figure::CurrentYield))),
        growth: seen.income.growth_rate.map(|rate| f.rate(rate).explained(about(Figure::Growth))),
        months: months(visitor, &seen, &asked),
        sources: sources(visitor, &seen, &asked),
        received: f
            .money(&received.last_12_months.net)
            .explained(last_12_months(&about(Figure::Received), web.app.clock.today())),
        received_growth: received.growth.map(|rate| growth(visitor, rate, &asked)),
        status_api: portfolio_picker::api("status", portfolio),
        next_api: upcoming::api(NEXT_DAYS, portfolio),
        next: next(visitor, &home.upcoming, &asked),
        unconverted: portfolio_picker::unconverted(visitor, &seen.income.unconverted),
        outdated_rates: portfolio_picker::outdated_rates(visitor, home.outdated_rates),
        missing: missing::headline(visitor, &missing, portfolio).map(|text| (text, missing::address(portfolio))),
        gaps,
        projection: projection(visitor, &seen, &params, &asked),
        shell,
    };
    visitor.page(&page)
}

/// The user's own payments; each keeps its index in the full answer.
fn next<'a>(visitor: &Visitor, to_come: &'a Upcoming, asked: &Question) -> Vec<Payment<'a>> {
    let own = to_come.items.iter().enumerate().filter(|(_, item)| item.owned.is_some());
    own.take(NEXT_SHOWN).map(|(index, item)| upcoming::payment(visitor, index, item, to_come.from, Below::Month, asked)).collect()
}

/// Query parameters. Malformed ones are ignored, because a page is not an API.
struct Params {
    years: u32,
    drip: bool,
    portfolio: Option<String>,
}

impl Params {
    fn parse(parts: &Parts) -> Params {
        let query = Query::parse(parts.uri.query()).ok();
        let query = query.as_ref();
        Params {
            years: query.and_then(|query| query.integer("years", 1..=50, 10).ok()).map_or(10, |years| years as u32),
            drip: query.is_some_and(|query| query.boolean("drip", false).unwrap_or(false)),
            portfolio: portfolio_picker::portfolio(parts),
        }
    }

    fn api(&self) -> String {
        let portfolio = self.portfolio.as_ref().map(|name| format!("&portfolio={}", links::escaped(name)));
        format!("/api/v1/income?years={}&drip={}{}", self.years, self.drip, portfolio.unwrap_or_default())
    }
}

fn months(visitor: &Visitor, seen: &Outlook, asked: &Question) -> Option<Months> {
    let year = seen.income.income_year.as_ref()?;
    let (t, f) = (&visitor.texts.income, visitor.format);
    let money = |amount| Money::new(amount, seen.preferred);
    let long: Vec<&str> = visitor.texts.shell.months_long.split(' ').collect();
    let short: Vec<&str> = visitor.texts.shell.months_short.split(' ').collect();
    let name = |month: i8| long.get(usize::from(month.unsigned_abs()).saturating_sub(1)).copied().unwrap_or_default();
    let short_name = |month: i8| short.get(usize::from(month.unsigned_abs()).saturating_sub(1)).copied().unwrap_or_default();
    let names = |months: &[i8]| months.iter().map(|month| short_name(*month)).collect::<Vec<_>>().join(", ");
    let bars: Vec<Bar> = (1_i8..=12)
        .zip(&year.by_month)
        .map(|(month, amount)| Bar {
            label: short_name(month).to_owned(),
            title: format!("{}: {}", name(month), f.money_text(&money(*amount))),
            value: *amount,
            class: match (year.empty_months.contains(&month), year.thin_months.contains(&month)) {
                (true, _) => "empty",
                (_, true) => "thin",
                _ => "",
            },
        })
        .collect();
    let average = t.months_average(f.money_text(&money(year.average_month)));
    let average_month = f.money(&money(year.average_month)).explained(asked.about(Figure::MonthlyAverage));
    // Empty months are also weak; they are listed once.
    let thin: Vec<i8> = year.thin_months.iter().copied().filter(|month| !year.empty_months.contains(month)).collect();
    let names_of = |months: &[i8]| (!months.is_empty()).then(|| names(months));
    let share = f.rate(year.biggest_months_share).explained(asked.about(Figure::BiggestMonths));
    let biggest = names(&year.biggest_months);
    let of_month = |month| Question { month: Some(month), ..asked.about(Figure::MonthIncome) };
    Some(Months {
        note: t.months_note(seen.preferred.code()),
        chart: chart::bars(
            "months",
            t.months_chart,
            &bars,
            |tick| f.marked(&tick.to_string()),
            Some((year.average_month, average)),
        ),
        average: Html::sentence([average_month], |[amount]| t.months_average(amount)),
        rows: (1_i8..=12)
            .zip(&year.by_month)
            .map(|(month, amount)| (month, name(month).to_owned(), f.money(&money(*amount)).explained(of_month(month))))
            .collect(),
        thin: names_of(&thin).map(|names| t.thin(names)),
        empty: names_of(&year.empty_months).map(|names| t.empty(names)),
        biggest: Html::sentence([share], |[share]| t.biggest(&biggest, share)),
    })
}

fn sources(visitor: &Visitor, seen: &Outlook, asked: &Question) -> Vec<Source> {
    let f = visitor.format;
    let money = |amount| Money::new(amount, seen.preferred);
    let source = |source: &ledger::Source| {
        let portfolio = seen.named.then(|| source.portfolio.clone());
        let about = |figure| asked.of_position(figure, &source.symbol, portfolio.as_deref());
        Source {
            link: links::stock(&source.symbol),
            symbol: source.symbol.clone(),
            income: f.money(&money(source.income)).explained(about(Figure::Income)),
            net: f.money(&money(source.net_income)).explained(about(Figure::NetIncome)),
            share: ledger::share_pct(source.income, seen.income.annual)
                .map(|pct| f.pct(pct).explained(about(Figure::ShareOfIncome))),
            from_history: source.basis == Basis::Ledger,
            portfolio: portfolio.clone(),
        }
    };
    seen.income.sources.iter().take(SOURCES_SHOWN).map(source).collect()
}

/// The range of another year's income.
fn scaled(likely: Likely, income: Decimal, annual: Decimal) -> (Decimal, Decimal) {
    let scale = |end: Decimal| income.checked_div(annual).and_then(|times| end.checked_mul(times)).unwrap_or(income);
    (scale(likely.low), scale(likely.high))
}

fn projection(visitor: &Visitor, seen: &Outlook, params: &Params, asked: &Question) -> Projection {
    let (t, f) = (&visitor.texts.income, visitor.format);
    let money = |amount| Money::new(amount, seen.preferred);
    let when = |offset: usize| if offset == 0 { t.now.to_owned() } else { t.in_years(offset as u64) };
    let point = |offset: usize, amount: Decimal, kind: &str| Point {
        label: if offset == 0 { t.now.to_owned() } else { format!("+{offset}") },
        title: t.point(when(offset), f.money_text(&money(amount)), kind),
        value: amount,
    };
    let years = || seen.income.projection.iter().enumerate();
    let gross = Series {
        name: t.series_gross.to_owned(),
        class: "gross",
        points: years().map(|(at, year)| point(at, year.income, t.series_gross)).collect(),
    };
    let net = Series {
        name: t.series_net.to_owned(),
        class: "net",
        points: years().map(|(at, year)| point(at, year.net_income, t.series_net)).collect(),
    };
    let series = [gross, net];
    let after = |at: usize, [now, later]: [Figure; 2]| match at {
        0 => asked.about(now),
        _ => Question { years: u32::try_from(at).ok(), drip: params.drip, ..asked.about(later) },
    };
    // As far from the gross income as now, in every year.
    let band = seen.income.likely.map(|likely| Band {
        name: t.series_likely.to_owned(),
        ends: seen.income.projection.iter().map(|year| scaled(likely, year.income, seen.income.annual)).collect(),
    });
    Projection {
        years: params.years,
        drip: params.drip,
        chart: chart::lines("projection-chart", t.projection_chart, &series, band.as_ref(), |tick| f.marked(&tick.to_string())),
        rows: years()
            .map(|(at, year)| {
                let gross = f.money(&money(year.income)).explained(after(at, [Figure::AnnualIncome, Figure::ProjectedIncome]));
                let net = after(at, [Figure::NetAnnualIncome, Figure::ProjectedNetIncome]);
                (at, when(at), gross, f.money(&money(year.net_income)).explained(net))
            })
            .collect(),
    }
}
