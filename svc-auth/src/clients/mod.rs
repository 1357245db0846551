//! Providers: who carries our words to players outside of the app.

pub(crate) mod mail;
pub(crate) mod sms;
