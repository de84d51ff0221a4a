//! `/import/done/{id}`: what an import added, what it pays, what is still open, and the rows that it left out.

use std::collections::BTreeSet;

use app::entries::{Entry, Kind};
use app::explain::{Figure, Question};
use app::import::staged::{self, LeftOut};
use app::import::{self, Import};
use app::income::{self, OfImport};
use askama::Template;
use axum::extract::{Path, State};
use uuid::Uuid;

use super::rows::{self, Fixes, Shown};
use crate::format::Html;
use crate::ledger::words;
use crate::page::{Section, Shell};
use crate::securities::Gaps;
use crate::visit::{Form, SignedIn, links};
use crate::{Reply, Web};

#[derive(Template)]
#[template(path = "import_done.html")]
struct Page {
    shell: Shell,
    import: Import,
    format: String,
    added: String,
    pays: Option<Html>,
    pays_note: String,
    gaps: Gaps,
    /// Market data that will soon be there.
    loading: Option<String>,
    /// Opening positions whose cost is not known, each with a link to the ledger.
    unknown_costs: Vec<(String, String)>,
    left_out: Vec<Shown>,
    left_out_lead: String,
    more_left_out: Option<String>,
    /// Whether the user has something to do.
    open: bool,
}

/// How long after an import missing market data is probably on its way.
const LOADING_MICROS: i64 = 5 * 60 * 1_000_000;
/// How many rows are listed.
const LISTED_MAX: usize = 200;

pub fn address(id: Uuid) -> String {
    format!("/import/done/{id}")
}

pub async fn get(State(web): State<Web>, who: SignedIn, Path(id): Path<String>) -> Reply {
    let (visitor, user_id) = (&who.visitor, who.user_id());
    let (t, f) = (&visitor.texts.import, visitor.format);
    let import = super::find_import(&web, &who, &id).await?;
    let entries = import::entries_of(&web.app, user_id, import.id).await?;
    let OfImport { payers, net, without_data } = income::of_import(&web.app, user_id, &entries).await?;
    let asked = Question { import: Some(import.id), ..Question::of(Figure::ImportNetIncome) };
    let mut gaps = Gaps::load(&web, &who, &without_data).await?;
    let is_new = web.app.clock.now_micros() - import.created_at < LOADING_MICROS;
    let is_loading = is_new && gaps.has_provider && gaps.without_data.is_some();
    let loading = is_loading.then(|| gaps.without_data.take()).flatten().map(|_| t.loading(without_data.len()));
    let left_out = staged::left_out(&web.app, user_id, &import).await?;
    let unknown_costs = unknown_costs(&entries);
    let rows = left_out.as_ref().map(|LeftOut { report, .. }| {
        let mut fixes = Fixes::none();
        let rows = report.plan.iter().take(LISTED_MAX);
        rows.map(|row| rows::shown(visitor, report, row, &mut fixes)).collect::<Vec<Shown>>()
    });
    let all = left_out.as_ref().map_or(0, |left_out| left_out.report.plan.len());
    let readable = left_out.map_or(0, |left_out| left_out.readable);
    let page = Page {
        shell: visitor.shell(t.done_title, Section::Import),
        format: words::source(visitor.texts, &import.format),
        added: added(&who, &entries),
        pays: (payers > 0).then(|| f.money(&net).explained(&asked)),
        open: loading.is_some()
            || gaps.unmatched.is_some()
            || gaps.without_data.is_some()
            || !unknown_costs.is_empty()
            || all > 0,
        pays_note: if payers == 0 && loading.is_some() { t.pays_later.to_owned() } else { t.pays_note(payers) },
        loading,
        gaps,
        unknown_costs,
        left_out: rows.unwrap_or_default(),
        left_out_lead: if readable > 0 { t.readable_now(readable) } else { t.left_out_lead(all) },
        more_left_out: (all > LISTED_MAX).then(|| t.more_left_out(all - LISTED_MAX)),
        import,
    };
    visitor.page(&page)
}

/// By kind, such as "12 buys, 3 dividends".
fn added(who: &SignedIn, entries: &[Entry]) -> String {
    let t = &who.visitor.texts.import;
    let is_opening = |entry: &&Entry| import::is_opening(entry);
    let count = |kind: Kind| entries.iter().filter(|entry| entry.kind == kind && !is_opening(entry)).count();
    let kinds = Kind::ALL.into_iter().map(|kind| (kind, count(kind))).filter(|(_, count)| *count > 0);
    let openings = entries.iter().filter(is_opening).count();
    let openings = (openings > 0).then(|| t.openings_count(openings));
    kinds.map(|(kind, count)| t.kind_count(kind.word(), count)).chain(openings).collect::<Vec<_>>().join(", ")
}

fn unknown_costs(entries: &[Entry]) -> Vec<(String, String)> {
    let unknown: BTreeSet<&str> =
        entries.iter().filter(|entry| import::is_cost_estimated(entry)).map(|entry| entry.symbol.as_str()).collect();
    let link = |symbol: &str| format!("/ledger?symbol={}&kind={}", links::escaped(symbol), Kind::TransferIn.word());
    unknown.into_iter().map(|symbol| (symbol.to_owned(), link(symbol))).collect()
}

/// `/import/done/{id}/again`: reviews the file once more.
pub async fn again(State(web): State<Web>, who: SignedIn, Path(id): Path<String>, _form: Form) -> Reply {
    let import = super::find_import(&web, &who, &id).await?;
    let upload = staged::put_again(&web.app, who.user_id(), &import).await?;
    Ok(links::to(&format!("/import/{upload}")))
}
