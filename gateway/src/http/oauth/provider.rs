//! The identity providers, as a path and svc-auth name them.

use mesh::Language;
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

    /// The name that players know it by.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Google => "Google",
            Self::Facebook => "Facebook",
        }
    }

    pub(super) const fn rpc(self) -> OAuthProvider {
        match self {
            Self::Google => OAuthProvider::Google,
            Self::Facebook => OAuthProvider::Facebook,
        }
    }

    /// The URL of the provider's page, which asks for the page in a language.
    pub(super) fn in_language(self, url: String, language: Language) -> String {
        match self {
            Self::Google => {
                let separator = if url.contains('?') { '&' } else { '?' };
                format!("{url}{separator}hl={}", language.tag())
            }
            // Facebook's dialog documents no such parameter; it uses the account's language.
            Self::Facebook => url,
        }
    }
}
