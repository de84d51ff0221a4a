//! `/theme`: light, dark or the system's setting.

use axum::extract::State;

use crate::web::visit::cookies;
use crate::web::visit::forms::Form;
use crate::web::visit::links::{self, own_path};
use crate::web::visit::visitor::theme;
use crate::web::{Reply, Web};

pub async fn post(State(_web): State<Web>, form: Form) -> Reply {
    let mut response = links::to(own_path(form.raw("next")));
    let headers = response.headers_mut();
    match theme(form.raw("theme")) {
        Some(theme) => cookies::set(headers, cookies::THEME, theme, Some(400 * cookies::DAY)),
        None => cookies::clear(headers, cookies::THEME),
    }
    Ok(response)
}
