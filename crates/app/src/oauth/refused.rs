//! Why an app's request fails. `messages` has the texts for the developers of the app.

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refused {
    NotAForm,
    QueryNotAllowed,
    FormTooLarge,
    FormMalformed,
    ParameterTwice {
        name: String,
    },
    ParameterMissing {
        name: String,
    },
    /// The app authenticates both in the header and in the form.
    CredentialsTwice,
    TwoClientIds,
    ResponseTypeMissing,
    ResponseTypeUnsupported,
    ChallengeMissing,
    ChallengeMethod,
    ChallengeMalformed,
    VerifierMissing,
    VerifierMalformed,
    VerifierMismatch,
    CodeInvalid,
    RedirectMismatch,
    RefreshTokenInvalid,
    GrantTypeUnsupported,
    TargetUnknown,
    ScopeUnknown,
    /// Or it failed to authenticate.
    ClientUnknown,
    /// A removed app stays blocked, whatever it claims to be.
    ClientRemoved,
    Description(DescriptionError),
    DevicesNotDeclared,
    TooManyDevices,
    TooManyTokens,
    DeviceCodeUnknown,
    DeviceCodeExpired,
    SlowDown {
        interval_seconds: i64,
    },
    Denied,
    Pending,
    /// The database cannot be reached.
    Unavailable,
    Metadata(MetadataError),
    RedirectCount {
        max: usize,
    },
    RedirectMalformed,
}

/// Invalid registration metadata.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MetadataError {
    TooLarge {
        max_kib: usize,
    },
    NotAnObject,
    OwnSecret,
    NotAString {
        name: &'static str,
    },
    NotAList {
        name: &'static str,
    },
    ResponseType,
    Scope,
    GrantTypes,
    ApplicationType,
    AuthMethod,
    /// An app on a user's own machine cannot keep a secret.
    SecretOfNativeApp,
}

/// Why the document at an app's address cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DescriptionError {
    AddressMalformed,
    AddressNotPlain,
    /// The same for an unknown name, a server that does not answer and one that may not be asked, so that nobody can use us to
    /// explore a network.
    Unreachable,
    Status,
    BrokenOff,
    TooLarge {
        max_kib: usize,
    },
    NotJson,
    NotAnObject,
    OtherClientId,
    Secret,
    AuthMethod,
    NameMissing,
    RedirectsMissing,
    /// Without a name that can be shown, or with invalid redirect addresses.
    Unfit {
        redirects_max: usize,
    },
}

impl Refused {
    /// The protocol's error code.
    pub fn code(&self) -> &'static str {
        match self {
            Refused::NotAForm
            | Refused::QueryNotAllowed
            | Refused::FormTooLarge
            | Refused::FormMalformed
            | Refused::ParameterTwice { .. }
            | Refused::ParameterMissing { .. }
            | Refused::CredentialsTwice
            | Refused::TwoClientIds
            | Refused::ResponseTypeMissing
            | Refused::ChallengeMissing
            | Refused::ChallengeMethod
            | Refused::ChallengeMalformed
            | Refused::VerifierMissing
            | Refused::VerifierMalformed => "invalid_request",
            Refused::VerifierMismatch
            | Refused::CodeInvalid
            | Refused::RedirectMismatch
            | Refused::RefreshTokenInvalid
            | Refused::DeviceCodeUnknown => "invalid_grant",
            Refused::ResponseTypeUnsupported => "unsupported_response_type",
            Refused::GrantTypeUnsupported => "unsupported_grant_type",
            Refused::TargetUnknown => "invalid_target",
            Refused::ScopeUnknown => "invalid_scope",
            Refused::ClientUnknown | Refused::ClientRemoved | Refused::Description(_) => "invalid_client",
            Refused::DevicesNotDeclared => "unauthorized_client",
            Refused::TooManyDevices | Refused::TooManyTokens | Refused::Unavailable => "temporarily_unavailable",
            Refused::DeviceCodeExpired => "expired_token",
            Refused::SlowDown { .. } => "slow_down",
            Refused::Denied => "access_denied",
            Refused::Pending => "authorization_pending",
            Refused::Metadata(_) => "invalid_client_metadata",
            Refused::RedirectCount { .. } | Refused::RedirectMalformed => "invalid_redirect_uri",
        }
    }
}
