//! What needs a secret or deliberate slowness: password hashes, refresh tokens,
//! access tokens, captchas, codes, links. Nothing here reads a row or knows a call.

mod access;
mod captcha;
mod codes;
mod oauth;
mod password;
mod refresh;
mod scratch;
mod secret;
mod token;

pub(crate) use access::{AccessToken, AccessTokens};
pub(crate) use captcha::{Captcha, Effort, Solved};
pub(crate) use codes::{Codes, LinkToken};
pub(crate) use oauth::{Attempts, BrowserSecret, ExchangeCode, State, challenge};
pub(crate) use password::{Busy, Cost, Hasher, Place, Verdict};
pub(crate) use refresh::{Proof, RefreshToken, Refresher};
pub(crate) use secret::{Key, seeds};
use token::Token;
