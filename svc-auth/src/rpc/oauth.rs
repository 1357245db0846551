//! Between the wire's words and ours: signing in with Google and Facebook.

use proto::auth::v1::{
    FinishOAuthRequest, OAuthProvider, StartOAuthResponse, finish_o_auth_request,
};

use crate::{
    app::{Answer, FinishOAuth, Started},
    crypto::{BrowserSecret, State},
    domain::Provider,
    error::Error,
};

/// Several times what Google's and Facebook's codes have.
const MAX_CODE: usize = 2_048;

pub(super) fn provider(wire: OAuthProvider) -> Result<Provider, Error> {
    match wire {
        OAuthProvider::Google => Ok(Provider::Google),
        OAuthProvider::Facebook => Ok(Provider::Facebook),
        OAuthProvider::Unspecified => Err(Error::invalid("provider", "Please choose a provider.")),
    }
}

impl TryFrom<FinishOAuthRequest> for FinishOAuth {
    type Error = Error;

    fn try_from(wire: FinishOAuthRequest) -> Result<Self, Error> {
        Ok(Self {
            provider: provider(wire.provider())?,
            state: State::parse(&wire.state),
            browser: BrowserSecret::parse(&wire.browser_secret),
            answer: match wire.answer {
                Some(finish_o_auth_request::Answer::Code(code)) if code.len() <= MAX_CODE => {
                    Answer::Code(code)
                }
                Some(finish_o_auth_request::Answer::Error(word)) => Answer::No(word),
                // Neither a yes nor a no: nothing that a provider says.
                Some(finish_o_auth_request::Answer::Code(_)) | None => Answer::No(String::new()),
            },
        })
    }
}

impl From<Started> for StartOAuthResponse {
    fn from(started: Started) -> Self {
        Self {
            authorization_url: started.authorization_url,
            state: started.state.reveal(),
            browser_secret: started.browser.reveal(),
        }
    }
}
