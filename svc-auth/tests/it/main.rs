//! svc-auth from outside: the service itself on a free port, a database of its
//! own, a clock that the test moves.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should say so")]

mod captcha;
mod harness;
mod keys;
mod players;
mod profile;
mod sessions;
mod sign_in;
mod sign_up;
mod sweep;
mod trace;
