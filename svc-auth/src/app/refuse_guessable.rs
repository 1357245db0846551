//! Refuses new passwords that are among the first guesses.

use anyhow::Context as _;

use crate::{
    domain::{OwnWords, Password},
    error::{Error, Refused},
};

/// Refuses a new password that is common, or made of what others know of its account. Works on
/// a thread for blocking work, because a long password takes milliseconds.
pub(super) async fn refuse_guessable(password: &Password, own: OwnWords) -> Result<(), Error> {
    let password = password.clone();
    let estimate = tokio::task::spawn_blocking(move || password.is_guessable(&own));
    if estimate.await.context("a password was not estimated")? {
        return Err(Refused::GuessablePassword.into());
    }
    Ok(())
}
