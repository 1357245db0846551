//! Providers: who carries our words to players outside of the app, and who vouches for
//! players.

pub(crate) mod mail;
pub(crate) mod oauth;
mod reply;
pub(crate) mod sms;
