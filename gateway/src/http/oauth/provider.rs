//! The identity providers, as a path and svc-auth name them.

use proto::auth::v1::OAuthProvider;

use crate::envelope::Refusal;

/// An identity provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Provider {
    Google,
    Facebook,
}

impl Provider {
    pub(super) fn named(name: &str) -> Result<Self, Refusal> {
        match name {
            "google" => Ok(Self::Google),
            "facebook" => Ok(Self::Facebook),
            _ => Err(Refusal::not_found()),
        }
    }

    pub(super) const fn rpc(self) -> OAuthProvider {
        match self {
            Self::Google => OAuthProvider::Google,
            Self::Facebook => OAuthProvider::Facebook,
        }
    }
}
