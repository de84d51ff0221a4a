//! `/help/market-data`: what an administrator sets up to get prices, dividends and exchange rates.

use askama::Template;
use axum::extract::State;

use crate::web::page::{Section, Shell};
use crate::web::visit::SignedIn;
use crate::web::{Reply, Web};

#[derive(Template)]
#[template(path = "market_data.html")]
struct Page {
    shell: Shell,
    has_provider: bool,
}

pub async fn get(State(web): State<Web>, who: SignedIn) -> Reply {
    let shell = who.visitor.shell(who.visitor.texts.market_data.title, Section::None);
    who.visitor.page(&Page { shell, has_provider: !web.app.sources.is_empty() })
}
