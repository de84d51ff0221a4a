//! Apps that ask users for access.

use app::oauth::authorize::Unanswerable;
use app::oauth::register::GRANT_TYPES;
use app::oauth::{DescriptionError, MetadataError, OFFLINE, Refused, SCOPE};
use app::refusal::Client;

use crate::{Keys, described};

pub const KEYS: &[Keys] = &[Oauth::KEYS, CLIENT, REFUSED, UNANSWERABLE, METADATA, DESCRIPTION];

crate::texts! { Oauth = "error-oauth" {
    app_removed;
    parameter_twice(name),
} }

described! { CLIENT = "error-oauth": pub fn client(language; Client) {
    NameMissing => client_name_missing,
    RedirectMalformed { uri } => redirect_malformed(uri),
    RedirectCount { max } => redirect_count(max),
    Unknown { id } => unknown_client(id),
    AlreadyRemoved { id } => client_removed(id),
    NotRemoved { id } => client_not_removed(id),
    NoAccess => app_without_access;
    Removed => Oauth::load(language).app_removed.to_owned(),
} }

described! {
    /// For the developer of the app: plain ASCII, as the protocol requires.
    REFUSED = "error-oauth": pub fn text(language; Refused) {
    ParameterMissing { name } => parameter_missing(name),
    ScopeUnknown => scope_unknown(scope = SCOPE, other = OFFLINE),
    SlowDown { interval_seconds } => slow_down(seconds = interval_seconds),
    RedirectCount { max } => redirect_uris(max),
    NotAForm => not_a_form,
    QueryNotAllowed => query_not_allowed,
    FormTooLarge => form_too_large,
    FormMalformed => form_malformed,
    CredentialsTwice => credentials_twice,
    TwoClientIds => two_client_ids,
    ResponseTypeMissing => response_type_missing,
    ResponseTypeUnsupported => response_type_unsupported,
    ChallengeMissing => challenge_missing,
    ChallengeMethod => challenge_method,
    ChallengeMalformed => challenge_malformed,
    VerifierMissing => verifier_missing,
    VerifierMalformed => verifier_malformed,
    VerifierMismatch => verifier_mismatch,
    CodeInvalid => code_invalid,
    RedirectMismatch => redirect_mismatch,
    RefreshTokenInvalid => refresh_token_invalid,
    GrantTypeUnsupported => grant_type_unsupported,
    TargetUnknown => target_unknown,
    ClientUnknown => client_unknown,
    DevicesNotDeclared => devices_not_declared,
    TooManyDevices => too_many_devices,
    TooManyTokens => too_many_tokens,
    DeviceCodeUnknown => device_code_unknown,
    DeviceCodeExpired => device_code_expired,
    Denied => denied,
    Pending => pending,
    Unavailable => unavailable,
    RedirectMalformed => redirect_scheme;
    ParameterTwice { name } => Oauth::load(language).parameter_twice(name.as_str()),
    ClientRemoved => Oauth::load(language).app_removed.to_owned(),
    Description(error) => description(language, error),
    Metadata(error) => metadata(language, error),
} }

described! {
    /// For the user whom the app sent here.
    UNANSWERABLE = "error-oauth": pub fn unanswerable(language; Unanswerable) {
    ClientMissing => client_missing,
    RedirectMissing => redirect_missing,
    RedirectUnknown => redirect_unknown,
    RedirectForbidden => redirect_forbidden;
    ParameterTwice { name } => Oauth::load(language).parameter_twice(name.as_str()),
    ClientRefused(refused) => text(language, refused),
} }

described! { METADATA = "error-metadata": fn metadata(language; MetadataError) {
    TooLarge { max_kib } => too_large(max = max_kib),
    NotAnObject => not_an_object,
    OwnSecret => own_secret,
    NotAString { name } => not_a_string(name),
    NotAList { name } => not_a_list(name),
    ResponseType => response_type,
    Scope => scope(scope = SCOPE, other = OFFLINE),
    GrantTypes => grant_types(types = GRANT_TYPES.join(", ")),
    ApplicationType => application_type,
    AuthMethod => auth_method,
    SecretOfNativeApp => secret_of_native_app,
} }

described! { DESCRIPTION = "error-description": fn description(language; DescriptionError) {
    AddressMalformed => address_malformed,
    AddressNotPlain => address_not_plain,
    Unreachable => unreachable,
    Status => status,
    BrokenOff => broken_off,
    TooLarge { max_kib } => too_large(max = max_kib),
    NotJson => not_json,
    NotAnObject => not_an_object,
    OtherClientId => other_client_id,
    Secret => secret,
    AuthMethod => auth_method,
    NameMissing => name_missing,
    RedirectsMissing => redirects_missing,
    Unfit { redirects_max } => unfit(max = redirects_max),
} }
