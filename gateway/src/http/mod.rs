//! The calls under `/api`, a file a resource. A handler decodes the request, calls one RPC
//! and encodes the reply.
#![expect(clippy::struct_field_names, reason = "the names are the contract's")]

pub(crate) mod auth;
pub(crate) mod body;
pub(crate) mod chat;
pub(crate) mod client;
mod cookies;
pub(crate) mod data_copy;
pub(crate) mod device;
pub(crate) mod device_cookie;
pub(crate) mod form;
pub(crate) mod games;
pub(crate) mod media;
pub(crate) mod messages;
pub(crate) mod notifications;
pub(crate) mod oauth;
pub(crate) mod openapi;
pub(crate) mod param;
pub(crate) mod password;
mod password_turn;
pub(crate) mod payout_phones;
pub(crate) mod payouts;
pub(crate) mod phone;
pub(crate) mod play;
pub(crate) mod profile;
pub(crate) mod push;
pub(crate) mod reference;
pub(crate) mod referrals;
pub(crate) mod result_proof;
pub(crate) mod runs;
pub(crate) mod safety;
mod session_cookie;
pub(crate) mod spending;
pub(crate) mod statement;
mod strange_codes;
pub(crate) mod subscriptions;
pub(crate) mod support;
pub(crate) mod tournaments;
pub(crate) mod upload;
pub(crate) mod users;
pub(crate) mod vitals;
pub(crate) mod wallet;
pub(crate) mod wire;

use crate::envelope::{Refusal, Reply};

/// The result of a handler.
pub(crate) type HandlerResult<T> = Result<Reply<T>, Refusal>;
