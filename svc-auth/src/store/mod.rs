//! Statements, a table family a file. Transactions are the use cases'.

pub(crate) mod captcha;
pub(crate) mod challenge;
pub(crate) mod codes;
pub(crate) mod deletion;
pub(crate) mod guard;
pub(crate) mod identity;
pub(crate) mod link;
pub(crate) mod oauth;
pub(crate) mod phone;
pub(crate) mod picture;
pub(crate) mod player;
pub(crate) mod referral;
pub(crate) mod sending;
pub(crate) mod session;
pub(crate) mod social;
