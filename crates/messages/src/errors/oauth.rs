//! Apps that ask users for access.

use app::oauth::authorize::Unanswerable;
use app::oauth::register::GRANT_TYPES;
use app::oauth::{DescriptionError, MetadataError, OFFLINE, Refused, SCOPE};
use app::refusal;

use crate::Language;

crate::texts! { Oauth = "error-oauth" {
    client_name_missing, app_removed, app_without_access, not_a_form, query_not_allowed, form_too_large, form_malformed,
    credentials_twice, two_client_ids, response_type_missing, response_type_unsupported, challenge_missing, challenge_method,
    challenge_malformed, verifier_missing, verifier_malformed, verifier_mismatch, code_invalid, redirect_mismatch,
    refresh_token_invalid, grant_type_unsupported, target_unknown, client_unknown, devices_not_declared, too_many_devices,
    too_many_tokens, device_code_unknown, device_code_expired, denied, pending, unavailable, redirect_scheme, client_missing,
    redirect_missing, redirect_unknown, redirect_forbidden;
    parameter_twice(name), parameter_missing(name), scope_unknown(scope, other), slow_down(seconds), redirect_uris(max),
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

crate::texts! { Metadata = "error-metadata" {
    not_an_object, own_secret, response_type, application_type, auth_method, secret_of_native_app;
    too_large(max), not_a_string(name), not_a_list(name), scope(scope, other), grant_types(types),
} }

crate::texts! { Description = "error-description" {
    address_malformed, address_not_plain, unreachable, status, broken_off, not_json, not_an_object, other_client_id, secret,
    auth_method, name_missing, redirects_missing;
    too_large(max), unfit(max),
} }

/// For the developer of the app: plain ASCII, as the protocol requires.
pub fn text(language: &'static Language, refused: &Refused) -> String {
    let texts = Oauth::load(language);
    let text = match refused {
        Refused::ParameterTwice { name } => return texts.parameter_twice(name.as_str()),
        Refused::ParameterMissing { name } => return texts.parameter_missing(name.as_str()),
        Refused::ScopeUnknown => return texts.scope_unknown(SCOPE, OFFLINE),
        Refused::SlowDown { interval_seconds } => return texts.slow_down(*interval_seconds),
        Refused::RedirectCount { max } => return texts.redirect_uris(*max),
        Refused::Description(error) => return description(language, error),
        Refused::Metadata(error) => return metadata(language, error),
        Refused::NotAForm => texts.not_a_form,
        Refused::QueryNotAllowed => texts.query_not_allowed,
        Refused::FormTooLarge => texts.form_too_large,
        Refused::FormMalformed => texts.form_malformed,
        Refused::CredentialsTwice => texts.credentials_twice,
        Refused::TwoClientIds => texts.two_client_ids,
        Refused::ResponseTypeMissing => texts.response_type_missing,
        Refused::ResponseTypeUnsupported => texts.response_type_unsupported,
        Refused::ChallengeMissing => texts.challenge_missing,
        Refused::ChallengeMethod => texts.challenge_method,
        Refused::ChallengeMalformed => texts.challenge_malformed,
        Refused::VerifierMissing => texts.verifier_missing,
        Refused::VerifierMalformed => texts.verifier_malformed,
        Refused::VerifierMismatch => texts.verifier_mismatch,
        Refused::CodeInvalid => texts.code_invalid,
        Refused::RedirectMismatch => texts.redirect_mismatch,
        Refused::RefreshTokenInvalid => texts.refresh_token_invalid,
        Refused::GrantTypeUnsupported => texts.grant_type_unsupported,
        Refused::TargetUnknown => texts.target_unknown,
        Refused::ClientUnknown => texts.client_unknown,
        Refused::ClientRemoved => texts.app_removed,
        Refused::DevicesNotDeclared => texts.devices_not_declared,
        Refused::TooManyDevices => texts.too_many_devices,
        Refused::TooManyTokens => texts.too_many_tokens,
        Refused::DeviceCodeUnknown => texts.device_code_unknown,
        Refused::DeviceCodeExpired => texts.device_code_expired,
        Refused::Denied => texts.denied,
        Refused::Pending => texts.pending,
        Refused::Unavailable => texts.unavailable,
        Refused::RedirectMalformed => texts.redirect_scheme,
    };
    text.to_owned()
}

/// For the user whom the app sent here.
pub fn unanswerable(language: &'static Language, reason: &Unanswerable) -> String {
    let texts = Oauth::load(language);
    match reason {
        Unanswerable::ParameterTwice { name } => texts.parameter_twice(name.as_str()),
        Unanswerable::ClientMissing => texts.client_missing.to_owned(),
        Unanswerable::ClientRefused(refused) => text(language, refused),
        Unanswerable::RedirectMissing => texts.redirect_missing.to_owned(),
        Unanswerable::RedirectUnknown => texts.redirect_unknown.to_owned(),
        Unanswerable::RedirectForbidden => texts.redirect_forbidden.to_owned(),
    }
}

fn metadata(language: &'static Language, error: &MetadataError) -> String {
    let texts = Metadata::load(language);
    match error {
        MetadataError::TooLarge { max_kib } => texts.too_large(*max_kib),
        MetadataError::NotAnObject => texts.not_an_object.to_owned(),
        MetadataError::OwnSecret => texts.own_secret.to_owned(),
        MetadataError::NotAString { name } => texts.not_a_string(*name),
        MetadataError::NotAList { name } => texts.not_a_list(*name),
        MetadataError::ResponseType => texts.response_type.to_owned(),
        MetadataError::Scope => texts.scope(SCOPE, OFFLINE),
        MetadataError::GrantTypes => texts.grant_types(GRANT_TYPES.join(", ")),
        MetadataError::ApplicationType => texts.application_type.to_owned(),
        MetadataError::AuthMethod => texts.auth_method.to_owned(),
        MetadataError::SecretOfNativeApp => texts.secret_of_native_app.to_owned(),
    }
}

fn description(language: &'static Language, error: &DescriptionError) -> String {
    let texts = Description::load(language);
    match error {
        DescriptionError::AddressMalformed => texts.address_malformed.to_owned(),
        DescriptionError::AddressNotPlain => texts.address_not_plain.to_owned(),
        DescriptionError::Unreachable => texts.unreachable.to_owned(),
        DescriptionError::Status => texts.status.to_owned(),
        DescriptionError::BrokenOff => texts.broken_off.to_owned(),
        DescriptionError::TooLarge { max_kib } => texts.too_large(*max_kib),
        DescriptionError::NotJson => texts.not_json.to_owned(),
        DescriptionError::NotAnObject => texts.not_an_object.to_owned(),
        DescriptionError::OtherClientId => texts.other_client_id.to_owned(),
        DescriptionError::Secret => texts.secret.to_owned(),
        DescriptionError::AuthMethod => texts.auth_method.to_owned(),
        DescriptionError::NameMissing => texts.name_missing.to_owned(),
        DescriptionError::RedirectsMissing => texts.redirects_missing.to_owned(),
        DescriptionError::Unfit { redirects_max } => texts.unfit(*redirects_max),
    }
}
