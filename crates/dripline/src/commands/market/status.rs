//! `dripline market status`

use anyhow::bail;
use app::market::{self, Status, StockStatus};
use app::{App, Overview, Refresh, RejectedValue};
use messages::command::MarketStatus;
use messages::providers;
use serde_json::{Value, json};

use crate::output::{self, instant};

pub async fn all(app: &App, json: bool) -> anyhow::Result<()> {
    let status = market::status(app).await?;
    if json {
        output::result(&value(&status).to_string());
        return Ok(());
    }
    let texts = MarketStatus::load(output::language());
    output::result(&format!("Stocks      {} with data, {} tracked", status.stocks, status.tracked));
    let newest =
        status.newest_rate.map_or("none".to_owned(), |date| format!("latest from {date}, currencies: {}", status.currencies));
    output::result(&format!("Rates       {newest}"));
    if !status.unknown.is_empty() {
        output::result(&format!("No data     {} (held by users)", status.unknown.join(", ")));
    }
    let sources = if status.sources.is_empty() { "none".to_owned() } else { status.sources.join(", ") };
    output::result(&format!("Providers   {sources} ({})", providers::origin(output::language(), &status.origin)));
    for provider in &status.providers {
        let answered = provider.ok_at.map_or("no answer yet".to_owned(), |at| format!("last answered {}", instant(at)));
        let failed = match (&provider.last_error, provider.failed_at) {
            (Some(error), Some(at)) => {
                format!("; last failed {}: {}", instant(at), providers::stored_fault(output::language(), &provider.name, error))
            }
            _ => String::new(),
        };
        let rests = provider.open_until.map_or(String::new(), |at| format!("; paused until {}", instant(at)));
        output::result(&format!(
            "  {:<12} {}, {answered}{failed}{rests}",
            provider.name,
            texts.requests(provider.used, provider.day.to_string())
        ));
    }
    status.work.iter().for_each(|work| output::result(&work_line(work)));
    status.failing.iter().for_each(|refresh| output::result(&failing_line(refresh)));
    if status.held_back_count > 0 {
        output::result(&format!("Rejected    {}", texts.rejected(status.held_back_count)));
        status.held_back.iter().for_each(|value| output::result(&format!("  {}", rejected_line(value))));
    }
    Ok(())
}

/// Which provider each value of the stock comes from.
pub async fn one(app: &App, symbol: &str, json: bool) -> anyhow::Result<()> {
    let Some(status) = market::stock_status(app, symbol).await? else { bail!(output::refusal().no_data(symbol)) };
    if json {
        output::result(&stock_value(&status).to_string());
        return Ok(());
    }
    for field in &status.provenance {
        output::result(&format!("{:<18} {:<14} {}", field.field, field.provider, instant(field.seen_at)));
    }
    if status.provenance.is_empty() {
        output::result("All values come from your own files.");
    }
    for work in &status.work {
        let done = work.done_at.map_or("never".to_owned(), instant);
        output::result(&format!("{:<18} last refreshed {done}, next {}", work.topic.as_str(), instant(work.due_at)));
        if work.last_error.is_some() {
            output::result(&failing_line(work));
        }
    }
    for value in &status.held_back {
        output::result(&match value.provider.as_str() {
            app::OPERATOR => format!("Removed     {}: {} (since {})", value.field, value.value, instant(value.seen_at)),
            _ => format!("Rejected    {}", rejected_line(value)),
        });
    }
    Ok(())
}

fn work_line(work: &Overview) -> String {
    let newest = work.newest_done_at.map_or("never".to_owned(), instant);
    let texts = MarketStatus::load(output::language());
    let state = match (work.topic.is_per_symbol(), work.failing, work.overdue) {
        (true, ..) => texts.work(work.total, work.never_done, work.overdue, work.failing, newest),
        (_, 0, 0) => texts.refreshed(newest),
        (_, 0, _) => texts.due(newest),
        _ => texts.failing(newest),
    };
    format!("{:<11} {state}", work.topic.as_str())
}

fn failing_line(refresh: &Refresh) -> String {
    let error = last_error(refresh).unwrap_or_default();
    let what = format!("{} {}", refresh.topic.as_str(), refresh.symbol);
    let (word, times) = match refresh.failures {
        0 => ("Waiting", String::new()),
        1 => ("Failing", "once, ".to_owned()),
        count => ("Failing", format!("{count} times, ")),
    };
    format!("{word:<11} {}: {error} ({times}next try {})", what.trim_end(), instant(refresh.due_at))
}

fn last_error(refresh: &Refresh) -> Option<String> {
    refresh.last_error.as_deref().map(|stored| providers::stored_cause(output::language(), stored))
}

fn reason(value: &RejectedValue) -> String {
    providers::stored_reason(output::language(), &value.reason)
}

fn rejected_line(value: &RejectedValue) -> String {
    format!(
        "{} {} from {}: {} – {} (since {})",
        value.symbol,
        value.field,
        value.provider,
        value.value,
        reason(value),
        instant(value.seen_at)
    )
}

fn value(status: &Status) -> Value {
    let fault = |one: &app::ProviderState| {
        let stored = one.last_error.as_deref()?;
        Some(providers::stored_fault(output::language(), &one.name, stored))
    };
    let provider = |one: &app::ProviderState| {
        json!({
            "name": one.name, "day": one.day.to_string(), "used": one.used, "ok_at": one.ok_at.map(instant),
            "failed_at": one.failed_at.map(instant), "last_error": fault(one), "open_until": one.open_until.map(instant)
        })
    };
    let work = |one: &Overview| {
        json!({
            "topic": one.topic.as_str(), "total": one.total, "never_done": one.never_done, "due": one.overdue,
            "failing": one.failing, "oldest_done_at": one.oldest_done_at.map(instant),
            "newest_done_at": one.newest_done_at.map(instant)
        })
    };
    json!({
        "stocks": status.stocks, "tracked": status.tracked, "unknown": status.unknown, "currencies": status.currencies,
        "newest_rate": status.newest_rate.map(|date| date.to_string()), "version": status.market_version,
        "sources": status.sources, "sources_from": providers::origin(output::language(), &status.origin), "providers": status.providers.iter().map(provider).collect::<Vec<_>>(),
        "work": status.work.iter().map(work).collect::<Vec<_>>(),
        "failing": status.failing.iter().map(failing_value).collect::<Vec<_>>(),
        "held_back_count": status.held_back_count,
        "held_back": status.held_back.iter().map(rejected_value).collect::<Vec<_>>()
    })
}

fn stock_value(status: &StockStatus) -> Value {
    let field = |one: &app::Provenance| json!({"field": one.field, "provider": one.provider, "seen_at": instant(one.seen_at)});
    json!({
        "provenance": status.provenance.iter().map(field).collect::<Vec<_>>(),
        "work": status.work.iter().map(failing_value).collect::<Vec<_>>(),
        "held_back": status.held_back.iter().map(rejected_value).collect::<Vec<_>>()
    })
}

fn failing_value(refresh: &Refresh) -> Value {
    json!({
        "topic": refresh.topic.as_str(), "symbol": refresh.symbol, "failures": refresh.failures,
        "last_error": last_error(refresh), "failed_at": refresh.failed_at.map(instant),
        "done_at": refresh.done_at.map(instant), "due_at": instant(refresh.due_at)
    })
}

fn rejected_value(one: &RejectedValue) -> Value {
    json!({
        "symbol": one.symbol, "topic": one.topic.as_str(), "provider": one.provider, "field": one.field,
        "value": one.value, "reason": reason(one), "seen_at": instant(one.seen_at)
    })
}
