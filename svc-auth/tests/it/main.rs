//! svc-auth from outside: the service itself on a free port, with its own database and a
//! clock that the test sets.
#![expect(clippy::unwrap_used, reason = "a failed step fails the test")]

mod breaks;
mod captcha;
mod captcha_effort;
mod data_copy;
mod deletion;
mod device_confirmation;
mod devices;
mod email_confirmation;
mod enumeration;
mod erasure;

mod former_account;
mod guessing;
mod harness;
mod keys;
mod lookup;
mod lost_replies;
mod mail;
mod new_device;
mod oauth;
mod oauth_attempts;
mod oauth_codes;
mod oauth_join;
mod oauth_mails;
mod oauth_trust;
mod operators;
mod password_change;
mod password_reset;
mod payout_phones;
mod persons;
mod phone;
mod phone_hangup;
mod phone_limits;
mod phone_provider;
mod pictures;
mod players;
mod profile;
mod reference;
mod referral;
mod retention;
mod session_limits;
mod sessions;
mod sign_in;
mod sign_out_everywhere;
mod sign_up;
mod social;

mod sweep;
mod trace;
mod world;
