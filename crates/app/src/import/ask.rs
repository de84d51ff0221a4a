//! Asks providers about unknown instruments, before anything is written.

use std::collections::BTreeMap;

use importers::Parsed;
use market::{Ability, Urgency, validation};
use tokio::task::JoinSet;

use super::Request;
use super::instruments::{Answers, Instruments, Resolved};
use super::named::Named;
use super::symbol_remap::SymbolRemap;
use crate::operations::progress::{Progress, Stage};
use crate::stocks::symbol_lookup;
use crate::{App, Error};

/// How many questions are asked at a time, and per file.
const AT_ONCE: usize = 4;
const QUESTIONS_MAX: usize = 300;

/// What a provider is asked about one instrument.
#[derive(Clone)]
struct Asked {
    isin: Option<String>,
    listing: Option<String>,
    root: Option<String>,
}

pub(super) async fn providers(
    app: &App,
    request: &Request<'_>,
    parsed: &Parsed,
    progress: Progress<'_>,
) -> Result<Answers, Error> {
    let mut answers = Answers::default();
    if app.sources().market.is_empty() {
        return Ok(answers);
    }
    let open = open_questions(app, request, parsed).await?;
    let total = open.len();
    let mut waiting = open.into_iter();
    let mut asking = JoinSet::new();
    let mut done = 0;
    loop {
        while asking.len() < AT_ONCE
            && let Some((key, asked)) = waiting.next()
        {
            let market = app.sources().market.clone();
            asking.spawn(async move { (key, answer(&market, asked).await) });
        }
        let Some(answered) = asking.join_next().await else { break };
        done += 1;
        progress(Stage::Identifying, done, total);
        match answered {
            Ok((key, symbols)) if symbols.len() > 1 => drop(answers.choices.insert(key, symbols)),
            Ok((key, symbols)) => answers.symbols.extend(symbols.into_iter().map(|symbol| (key.clone(), symbol))),
            Err(_) => {}
        }
    }
    if !request.dry_run {
        for (key, symbol) in std::mem::take(&mut answers.symbols) {
            // If it cannot be priced now, it stays an open question.
            if symbol_lookup::ensure_known(app, std::slice::from_ref(&symbol), Some(request.user_id)).await.is_ok() {
                answers.symbols.insert(key, symbol);
            }
        }
    }
    Ok(answers)
}

async fn open_questions(app: &App, request: &Request<'_>, parsed: &Parsed) -> Result<BTreeMap<String, Asked>, Error> {
    let mut tx = app.store.read().await?;
    let unkept = Request { keep_unresolved: false, ..*request };
    let file = (parsed.records.as_slice(), parsed.accruals.as_deref().unwrap_or_default());
    let mut instruments = Instruments::open(app, &mut tx, &unkept, file, &SymbolRemap::default(), Answers::default()).await?;
    let mut open = BTreeMap::new();
    let accruals = parsed.accruals.iter().flatten().map(Named::by_accrual);
    for named in parsed.records.iter().map(Named::by).chain(accruals) {
        if open.len() >= QUESTIONS_MAX {
            break;
        }
        let Resolved::Open { candidates, .. } = instruments.resolve(&mut tx, named).await? else { continue };
        let asked = Asked {
            isin: named.isin.map(str::to_owned),
            listing: named.listing(),
            root: named.ticker.map(|ticker| importers::listing(ticker, "")),
        };
        if candidates.is_empty() && (asked.isin.is_some() || asked.listing.is_some()) {
            open.insert(named.key(), asked);
        }
    }
    Ok(open)
}

/// One symbol, several candidates, or none.
async fn answer(market: &market::Market, asked: Asked) -> Vec<String> {
    if let Some(isin) = &asked.isin
        && market.can(Ability::Search)
    {
        let Ok(found) = market.search(isin).await else { return Vec::new() };
        let symbols: Vec<String> = found.answer.into_iter().filter_map(validation::hit).map(|one| one.symbol).collect();
        let root = |symbol: &str| symbol.split('.').next().unwrap_or_default().to_owned();
        let exact: Vec<&String> = symbols.iter().filter(|symbol| asked.listing.as_ref() == Some(symbol)).collect();
        let of_root: Vec<&String> = symbols.iter().filter(|symbol| asked.root.as_deref() == Some(&root(symbol))).collect();
        return match (exact.as_slice(), of_root.as_slice()) {
            ([only], _) | (_, [only]) => vec![(*only).clone()],
            _ => symbols,
        };
    }
    // The file has the symbol with its exchange, and a price shows that it exists.
    let Some(listing) = asked.listing else { return Vec::new() };
    let quotes = market.quotes(std::slice::from_ref(&listing), Urgency::Live).await;
    if quotes.found.is_empty() { Vec::new() } else { vec![listing] }
}
