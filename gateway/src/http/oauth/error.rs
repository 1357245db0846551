//! Why a sign-in failed: its code, status and text.

use http::StatusCode;
use mesh::texts;
use tonic::Status;

use super::provider::Provider;
use crate::{envelope::Refusal, language};

/// Why a sign-in ended without a code. The player reads only these texts, never a provider's error
/// text, because that is in the URL, where anyone can write it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SignInError {
    Denied,
    State,
    Failed,
    Off,
    Unavailable,
}

impl SignInError {
    pub(super) const fn code(self) -> &'static str {
        match self {
            Self::Denied => "OAUTH_DENIED",
            Self::State => "OAUTH_STATE",
            Self::Failed => "OAUTH_FAILED",
            Self::Off => "PROVIDER_OFF",
            Self::Unavailable => "UNAVAILABLE",
        }
    }

    pub(super) const fn status(self) -> StatusCode {
        match self {
            Self::Denied => StatusCode::FORBIDDEN,
            Self::State => StatusCode::BAD_REQUEST,
            Self::Failed => StatusCode::UNAUTHORIZED,
            Self::Off => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    pub(super) fn text(self, provider: Provider) -> String {
        let key = match self {
            Self::Off => "OAUTH_PROVIDER_OFF",
            _ => self.code(),
        };
        let params = [("provider", provider.name())];
        texts::text(key, params, language::current()).unwrap_or_default().into_owned()
    }
}

/// Maps svc-auth's REASON; every other status becomes one error.
impl From<Status> for SignInError {
    fn from(status: Status) -> Self {
        match Refusal::from(status).code() {
            "OAUTH_DENIED" => Self::Denied,
            "OAUTH_STATE" => Self::State,
            "OAUTH_FAILED" => Self::Failed,
            "PROVIDER_OFF" => Self::Off,
            _ => Self::Unavailable,
        }
    }
}
