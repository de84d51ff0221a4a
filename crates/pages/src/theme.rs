//! `/theme`: light, dark or the system's setting.

use axum::extract::State;

use crate::visit::{
    Form, cookies,
    links::{self, own_path},
    visitor::theme,
};
use crate::{Reply, Web};

pub async fn post(State(_web): State<Web>, form: Form) -> Reply {
    let mut response = links::to(own_path(form.raw("next")));
    let headers = response.headers_mut();
    match theme(form.raw("theme")) {
        Some(theme) => cookies::set(headers, cookies::THEME, theme, Some(400 * cookies::DAY)),
        None => cookies::clear(headers, cookies::THEME),
    }
    Ok(response)
}
