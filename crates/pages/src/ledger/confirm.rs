//! `/ledger/confirm`: dividends from market data were paid as estimated.

use app::automatic;
use axum::extract::State;

use crate::visit::{Form, Notice, SignedIn, links};
use crate::{Reply, Web};

pub async fn post(State(web): State<Web>, who: SignedIn, form: Form) -> Reply {
    let t = &who.visitor.texts.ledger;
    let sequences: Vec<i64> = form.starting("sequence.").filter_map(|(_, sequence)| sequence.parse().ok()).collect();
    let notice = match automatic::confirm(&web.app, who.user_id(), &sequences).await? {
        0 => Notice::warn(t.none_estimated),
        n => Notice::ok(t.confirmed(n as u64)),
    };
    Ok(links::to_with(form.non_empty("next").map_or("/ledger", links::own_path), &notice))
}
