//! SQL, one file for each group of tables. Transactions belong to the use cases.

pub(crate) mod captcha;
pub(crate) mod challenge;
pub(crate) mod code_rate_limit;
pub(crate) mod data_copy;
pub(crate) mod deletion;
pub(crate) mod device;
pub(crate) mod device_challenge;
pub(crate) mod former_account;
pub(crate) mod identity;
pub(crate) mod link;
pub(crate) mod mail_spent;
pub(crate) mod oauth;
pub(crate) mod payout_phone;
pub(crate) mod payout_phone_challenge;
pub(crate) mod phone;
pub(crate) mod picture;
pub(crate) mod player;
pub(crate) mod player_data;
pub(crate) mod provider_join;
pub(crate) mod reference;
pub(crate) mod referral;
pub(crate) mod session;
pub(crate) mod sign_in_rate_limit;
pub(crate) mod sms_spent;
pub(crate) mod social;
