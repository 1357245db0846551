//! The request of a sign-in to a provider.

/// The parameters of one attempt to sign in.
pub(crate) struct AuthorizationRequest {
    pub(crate) redirect_uri: String,
    pub(crate) state: String,
    /// OpenID Connect's nonce, returned in the ID token.
    pub(crate) nonce: String,
    /// PKCE's verifier, sent with the code.
    pub(crate) verifier: String,
    /// PKCE's challenge, the verifier's SHA-256, sent by the browser.
    pub(crate) challenge: String,
}
