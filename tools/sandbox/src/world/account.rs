//! Accounts at Google and Facebook.

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

/// Longest name and address of an account.
const MAX_NAME: usize = 100;
const MAX_EMAIL: usize = 254;

/// A provider of social sign-in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum IdentityProvider {
    Google,
    Facebook,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Account {
    pub(crate) provider: IdentityProvider,
    /// The id that never changes.
    pub(crate) sub: String,
    pub(crate) name: String,
    /// The address. Only Facebook has accounts without one.
    pub(crate) email: Option<String>,
    /// Whether the address is verified. Google reports it; Facebook omits an unverified address.
    pub(crate) email_verified: bool,
    /// Google's `hd`: the Workspace domain that hosts the address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) hosted_domain: Option<String>,
    /// When the account was last set or signed in with.
    #[serde(with = "time::serde::rfc3339")]
    pub(crate) used_at: OffsetDateTime,
}

impl Account {
    /// A new account with a random id. An empty address means none.
    pub(crate) fn new(
        provider: IdentityProvider,
        name: &str,
        email: &str,
        email_verified: bool,
        now: OffsetDateTime,
    ) -> Result<Self, &'static str> {
        let account = Self {
            provider,
            sub: new_sub(provider),
            name: name.to_owned(),
            email: (!email.is_empty()).then(|| email.to_owned()),
            email_verified: email_verified && !email.is_empty(),
            hosted_domain: None,
            used_at: now,
        };
        account.validate().map(|()| account)
    }

    /// Validates the account. The error is a sentence for the person or test that set it.
    pub(crate) fn validate(&self) -> Result<(), &'static str> {
        let is_id = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
        if self.sub.is_empty() || self.sub.len() > 64 || !self.sub.chars().all(is_id) {
            return Err("An account's id has 1 to 64 letters, digits, - and _.");
        }
        if !is_name(&self.name) {
            return Err("A name has 1 to 100 characters.");
        }
        match &self.email {
            None if self.provider == IdentityProvider::Google => {
                Err("A Google account has an email address.")
            }
            Some(email) if !is_email(email) => Err("This is not an email address."),
            _ => Ok(()),
        }
    }

    /// Whether this key is the account's id or address.
    pub(crate) fn matches(&self, key: &str) -> bool {
        self.sub == key || self.email.as_deref().is_some_and(|own| own.eq_ignore_ascii_case(key))
    }
}

fn is_name(name: &str) -> bool {
    (1..=MAX_NAME).contains(&name.chars().count()) && !name.chars().any(char::is_control)
}

fn is_email(email: &str) -> bool {
    let parts = email.split_once('@');
    email.len() <= MAX_EMAIL
        && !email.chars().any(|c| c.is_whitespace() || c.is_control())
        && parts.is_some_and(|(local, domain)| {
            !local.is_empty() && !domain.is_empty() && !domain.contains('@')
        })
}

/// A random id in the provider's format: 21 digits at Google, 17 at Facebook.
pub(crate) fn new_sub(provider: IdentityProvider) -> String {
    let count = match provider {
        IdentityProvider::Google => 20,
        IdentityProvider::Facebook => 16,
    };
    let digits = (0..count).map(|_| char::from(b'0' + rand::random_range(0..10u8)));
    std::iter::once('1').chain(digits).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_facebook_accounts_may_lack_an_address() {
        let now = OffsetDateTime::UNIX_EPOCH;
        let account = |provider, email| Account::new(provider, "Mary", email, true, now);
        assert!(account(IdentityProvider::Google, "").is_err());
        let without = account(IdentityProvider::Facebook, "").unwrap();
        assert_eq!((without.email, without.email_verified), (None, false));
        assert!(account(IdentityProvider::Google, "mary@playon.test").unwrap().email_verified);
        for bad in ["mary", "@playon.test", "mary@", "a@b@c", "a b@c"] {
            assert!(account(IdentityProvider::Facebook, bad).is_err(), "{bad}");
        }
        assert!(Account::new(IdentityProvider::Facebook, "", "", true, now).is_err());
    }
}
