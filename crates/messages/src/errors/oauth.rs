//! Apps that ask users for access.

use app::refusal;

use crate::Language;

crate::texts! { Oauth = "error-oauth" {
    client_name_missing, app_removed, app_without_access;
    redirect_malformed(uri), redirect_count(max), unknown_client(id), client_removed(id), client_not_removed(id),
} }

pub fn client(language: &'static Language, refusal: &refusal::Client) -> String {
    use refusal::Client as Refusal;
    let texts = Oauth::load(language);
    match refusal {
        Refusal::NameMissing => texts.client_name_missing.to_owned(),
        Refusal::RedirectMalformed { uri } => texts.redirect_malformed(uri.as_str()),
        Refusal::RedirectCount { max } => texts.redirect_count(*max),
        Refusal::Unknown { id } => texts.unknown_client(id.as_str()),
        Refusal::AlreadyRemoved { id } => texts.client_removed(id.as_str()),
        Refusal::NotRemoved { id } => texts.client_not_removed(id.as_str()),
        Refusal::Removed => texts.app_removed.to_owned(),
        Refusal::NoAccess => texts.app_without_access.to_owned(),
    }
}
