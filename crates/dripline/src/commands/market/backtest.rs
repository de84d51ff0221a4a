//! `dripline market backtest`

mod table;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use anyhow::bail;
use app::market;
use ledger::backtest::{ExDate, Half, Places, Portfolio, RateErrors, Record, Within, YearAhead, portfolios};
use ledger::{Frequency, PayerKind};

use super::list_problems;
use crate::commands::open;
use crate::config::Settings;
use crate::output::{self, Progress};
use table::{Table, count, percent, share};

#[derive(clap::Args)]
pub struct Arguments {
    /// Folder with stocks.csv, dividends.csv and splits.csv [default: the stored market data]
    folder: Option<PathBuf>,
    /// Random portfolios per half of the stocks
    #[arg(long, value_name = "COUNT", default_value_t = 10_000)]
    portfolios: usize,
    /// Print Markdown
    #[arg(long)]
    markdown: bool,
}

pub async fn run(settings: &Settings, arguments: &Arguments) -> anyhow::Result<()> {
    let progress = Progress::start();
    progress.stage(|texts| texts.reading);
    let records = match &arguments.folder {
        Some(folder) => market::folder_records(folder, settings.clock.today()),
        None => market::stored_records(&open(settings).await?).await,
    };
    drop(progress);
    let records = records.inspect_err(list_problems)?;
    if records.is_empty() {
        match &arguments.folder {
            Some(folder) => bail!(output::refusal().no_histories_in(folder.display().to_string())),
            None => bail!(output::refusal().no_histories),
        }
    }
    let progress = Progress::start();
    let (mut ex_dates, mut years) = (Vec::new(), Vec::new());
    for (done, record) in records.iter().enumerate() {
        progress.part(output::progress().measuring, done, records.len());
        ex_dates.extend(record.ex_dates());
        years.extend(record.years_ahead());
    }
    progress.stage(|texts| texts.measuring);
    let of_half = |half: Half| portfolios(years.iter().filter(|year| year.half == half), arguments.portfolios);
    let halves = [Half::Choosing, Half::Judging].map(|half| (half, of_half(half)));
    drop(progress);
    output::result(&summary(&records));
    let standing: Vec<ExDate> = ex_dates.iter().filter(|one| !one.resumed).copied().collect();
    let resumed = count(ex_dates.len() - standing.len());
    let tables = [
        ex_date_table("Estimated ex-dates: all payments", &ex_dates),
        ex_date_table(&format!("Estimated ex-dates: without payments after a stop ({resumed})"), &standing),
        rate_table(&years),
        range_table(&halves),
    ];
    for table in tables {
        output::result(&format!("\n{}", if arguments.markdown { table.markdown() } else { table.text() }));
    }
    if halves.iter().any(|(_, portfolios)| portfolios.is_empty()) && arguments.portfolios > 0 {
        output::message(output::refusal().few_payers);
    }
    Ok(())
}

fn summary(records: &[Record]) -> String {
    let payments: Vec<_> = records.iter().flat_map(|record| record.payments()).map(|payment| payment.ex_date).collect();
    let judging = records.iter().filter(|record| record.half() == Half::Judging).count();
    let period = payments.iter().min().zip(payments.iter().max()).map(|(first, last)| format!(", {first} to {last}"));
    format!(
        "Stocks: {} ({} choosing, {judging} judging), payments: {}{}",
        records.len(),
        records.len() - judging,
        count(payments.len()),
        period.unwrap_or_default()
    )
}

fn ex_date_table(title: &str, ex_dates: &[ExDate]) -> Table {
    let mut table =
        Table::new(title, &["Payers", "All", "1 / 3 / 7 days", "Choosing", "1 / 3 / 7 days", "Judging", "1 / 3 / 7 days"]);
    let kinds: BTreeSet<_> = ex_dates.iter().map(kind_of_ex_date).collect();
    let mut row = |label: String, counts: &dyn Fn(&ExDate) -> bool| {
        let cells = by_half(
            ex_dates,
            |one| one.half,
            counts,
            |chosen| {
                let within = Within::of(chosen);
                let near = [within.one_day, within.three_days, within.seven_days].map(|near| share(near, within.payments));
                vec![count(within.payments), near.join(" / ")]
            },
        );
        table.row(label, cells);
    };
    row("all".to_owned(), &|_| true);
    row("10 or more payments known".to_owned(), &|one| one.known >= 10);
    for kind in kinds {
        let (frequency, fund) = kind;
        let label = format!("{} {}", frequency.as_str().replace('_', "-"), if fund { "fund" } else { "company" });
        row(label, &|one| kind_of_ex_date(one) == kind);
    }
    table
}

fn rate_table(years: &[YearAhead]) -> Table {
    let header =
        ["Payers", "All", "Stopped", "Median / 75%", "Choosing", "Stopped", "Median / 75%", "Judging", "Stopped", "Median / 75%"];
    let mut table = Table::new("Forward rate: error against the next 12 months", &header);
    let mut row = |label: &str, counts: &dyn Fn(&YearAhead) -> bool| {
        let cells = by_half(
            years,
            |year| year.half,
            counts,
            |chosen| {
                let errors = RateErrors::of(chosen);
                let shown = [errors.median, errors.third_quartile].map(|error| percent(error, errors.months));
                vec![count(errors.months), count(errors.stopped), shown.join(" / ")]
            },
        );
        table.row(label.to_owned(), cells);
    };
    row("all", &|_| true);
    for kind in PayerKind::ALL {
        row(kind_name(kind), &|year| year.kind == kind);
    }
    table
}

fn range_table(halves: &[(Half, Vec<Portfolio>)]) -> Table {
    let mut table = Table::new(
        "Likely range: where the outcomes of random portfolios fell",
        &["Half, year", "Portfolios", "Inside", "Below", "Above"],
    );
    for (half, portfolios) in halves {
        let name = if *half == Half::Choosing { "choosing" } else { "judging" };
        let mut row = |label: String, chosen: Places| {
            let shares = [chosen.inside, chosen.below, chosen.above].map(|part| share(part, chosen.portfolios));
            table.row(label, [vec![count(chosen.portfolios)], shares.to_vec()].concat());
        };
        row(name.to_owned(), Places::of(portfolios));
        let mut periods: BTreeMap<i16, Vec<&Portfolio>> = BTreeMap::new();
        for portfolio in portfolios {
            periods.entry(portfolio.day.year() / 5 * 5).or_default().push(portfolio);
        }
        for (from, portfolios) in periods {
            row(format!("{name}, {from}–{}", from + 4), Places::of(portfolios));
        }
    }
    table
}

/// The cells for all, then for each half.
fn by_half<T>(
    all: &[T],
    half: impl Fn(&T) -> Half,
    counts: &dyn Fn(&T) -> bool,
    cells: impl Fn(Vec<&T>) -> Vec<String>,
) -> Vec<String> {
    let halves = [None, Some(Half::Choosing), Some(Half::Judging)];
    let of =
        |wanted: Option<Half>| all.iter().filter(|one| counts(one) && wanted.is_none_or(|wanted| half(one) == wanted)).collect();
    halves.into_iter().flat_map(|wanted| cells(of(wanted))).collect()
}

fn kind_of_ex_date(one: &ExDate) -> (Frequency, bool) {
    (one.frequency, one.fund)
}

fn kind_name(kind: PayerKind) -> &'static str {
    match kind {
        PayerKind::DeclaredCompany => "declared company",
        PayerKind::DeclaredFund => "declared fund",
        PayerKind::VaryingCompany => "varying company",
        PayerKind::VaryingFund => "varying fund",
        PayerKind::SemiAnnualCompany => "semi-annual company",
        PayerKind::AnnualCompany => "annual company",
    }
}
