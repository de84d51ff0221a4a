//! `/settings/data`: export all data, or delete the account.

use app::accounts::audit::{self, Event};
use app::accounts::{self, archive};
use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;

use crate::account::sign_in::{signed_out, too_many_attempts};
use crate::page::{Shell, download};
use crate::visit::{Confirmed, Form, Notice, SignedIn};
use crate::{Reply, Web};

const DAY: i64 = 24 * 60 * 60 * 1_000_000;

#[derive(Template)]
#[template(path = "settings_data.html")]
struct Page {
    shell: Shell,
    tab: &'static str,
    /// Whether the forms that need the password are shown.
    confirmed: bool,
    export_problem: Option<String>,
    delete_problem: Option<&'static str>,
}

pub async fn get(State(web): State<Web>, who: SignedIn) -> Reply {
    who.visitor.page(&page(&web, &who))
}

pub async fn export(State(web): State<Web>, Confirmed(who): Confirmed, _form: Form) -> Reply {
    match archive::everything(&web.app, who.user_id(), who.visitor.texts.data.archive_readme).await {
        Ok(archive) => {
            let name = format!("filename=\"dripline-{}.zip\"", web.app.clock.today());
            Ok(download(archive.file, archive.bytes, "application/zip", &name))
        }
        Err(app::Error::Refused(refusal)) => {
            let page = Page { export_problem: Some(who.visitor.refusal(&refusal)), ..page(&web, &who) };
            let seconds = audit::wait_for(&web.app, who.user_id(), Event::Exported, archive::A_DAY_MAX, DAY).await?;
            too_many_attempts(who.visitor.page_with(StatusCode::TOO_MANY_REQUESTS, &page), seconds)
        }
        Err(error) => Err(error.into()),
    }
}

pub async fn delete(State(web): State<Web>, Confirmed(who): Confirmed, form: Form) -> Reply {
    let t = &who.visitor.texts.data;
    if form.text("email").to_lowercase() != who.me.email.to_lowercase() {
        let page = Page { delete_problem: Some(t.delete_differs), ..page(&web, &who) };
        return who.visitor.page_with(StatusCode::UNPROCESSABLE_ENTITY, &page);
    }
    accounts::delete_by_id(&web.app, who.user_id()).await?;
    Ok(signed_out(&Notice::ok(t.deleted)))
}

fn page(web: &Web, who: &SignedIn) -> Page {
    let shell = who.settings(who.visitor.texts.settings.data);
    Page { shell, tab: "data", confirmed: who.is_confirmed(web), export_problem: None, delete_problem: None }
}
