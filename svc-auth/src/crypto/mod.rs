//! Password hashes, access and refresh tokens, captchas, codes and links: what needs a
//! secret or costs CPU on purpose. Nothing here uses the database or a wire type.

mod access;
mod captcha;
mod codes;
mod hash_workers;
mod oauth;
mod password;
mod refresh;
mod secret;
mod token;

pub(crate) use access::{AccessRules, AccessToken, AccessTokens};
pub(crate) use captcha::{Captcha, Effort, Solved};
pub(crate) use codes::{CodePurpose, Codes, LinkToken};
pub(crate) use hash_workers::Busy;
pub(crate) use oauth::{BrowserSecret, ExchangeCode, OAuthSecrets, State, challenge};
pub(crate) use password::{Cost, HashPermit, Hasher, PasswordCheck};
pub(crate) use refresh::{Proof, RefreshToken, Refresher};
pub(crate) use secret::seeds;
use token::Token;
