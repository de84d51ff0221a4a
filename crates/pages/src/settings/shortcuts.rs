//! `/settings/shortcuts`: turns single-key shortcuts on or off. Some people use software that types keys by itself.

use crate::Reply;
use crate::visit::{Form, Notice, SignedIn, cookies, links};

pub async fn post(who: SignedIn, form: Form) -> Reply {
    let mut response = links::to_with("/settings", &Notice::ok(who.visitor.texts.settings.shortcuts_saved));
    let headers = response.headers_mut();
    match form.ticked("shortcuts") {
        true => cookies::clear(headers, cookies::SHORTCUTS),
        false => cookies::set(headers, cookies::SHORTCUTS, cookies::OFF, Some(400 * cookies::DAY)),
    }
    Ok(response)
}
