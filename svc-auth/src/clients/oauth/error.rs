//! The error of a call to a provider.

use thiserror::Error;

/// Why a provider did not identify a person. It contains no code, token, address or name, so
/// it can be logged.
#[derive(Debug, Error)]
pub(crate) enum ProviderError {
    /// The provider is not configured.
    #[error("the provider is switched off")]
    Disabled,
    /// The provider cannot be reached, is too slow, or replied with a server error.
    #[error("the provider is unavailable: {0}")]
    Unavailable(String),
    /// The provider refused the code, or its reply is not valid.
    #[error("the provider's reply is not valid: {0}")]
    Invalid(String),
}

impl mesh::telemetry::Failure for ProviderError {
    fn is_failure(&self) -> bool {
        matches!(self, Self::Unavailable(_))
    }
}

impl ProviderError {
    pub(super) fn invalid(why: impl ToString) -> Self {
        Self::Invalid(why.to_string())
    }
}
