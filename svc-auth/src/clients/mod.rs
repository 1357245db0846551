//! Clients of the other services, the SMS provider, the mail server and the identity providers.

pub(crate) mod mail;
pub(crate) mod notifications;
pub(crate) mod oauth;
pub(crate) mod player_data;
mod reply;
pub(crate) mod sms;
pub(crate) mod wallets;
