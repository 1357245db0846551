//! People's accounts at Google and Facebook.

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

/// Longest name and address of an account.
const MAX_NAME: usize = 100;
const MAX_EMAIL: usize = 254;

/// Who vouches for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Network {
    Google,
    Facebook,
}

/// Somebody's account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Account {
    pub(crate) provider: Network,
    /// The id that never changes.
    pub(crate) sub: String,
    pub(crate) name: String,
    /// Facebook has people without one.
    pub(crate) email: Option<String>,
    /// Google says so either way; Facebook keeps an unconfirmed address to
    /// itself.
    pub(crate) email_verified: bool,
    /// When it was last set or signed in with.
    #[serde(with = "time::serde::rfc3339")]
    pub(crate) used_at: OffsetDateTime,
}

impl Account {
    /// A new one with an id of the provider's kind. An empty address is none.
    pub(crate) fn new(
        provider: Network,
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
            used_at: now,
        };
        account.judge().map(|()| account)
    }

    /// Says what cannot be, if something cannot.
    pub(crate) fn judge(&self) -> Result<(), &'static str> {
        let is_id = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
        if self.sub.is_empty() || self.sub.len() > 64 || !self.sub.chars().all(is_id) {
            return Err("An account's id has 1 to 64 letters, digits, - and _.");
        }
        if !is_name(&self.name) {
            return Err("A name has 1 to 100 characters.");
        }
        match &self.email {
            None if self.provider == Network::Google => {
                Err("A Google account has an email address.")
            }
            Some(email) if !is_email(email) => Err("That is no email address."),
            _ => Ok(()),
        }
    }

    /// Whether this names it: its id, or its address.
    pub(crate) fn is(&self, key: &str) -> bool {
        self.sub == key || self.has_email(key)
    }

    pub(crate) fn has_email(&self, email: &str) -> bool {
        self.email.as_deref().is_some_and(|own| own.eq_ignore_ascii_case(email))
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

/// An id as the provider makes them: digits, 21 or 17 of them.
pub(crate) fn new_sub(provider: Network) -> String {
    let digits = |count: usize| -> String {
        (0..count).map(|_| char::from(b'0' + rand::random_range(0..10u8))).collect()
    };
    match provider {
        Network::Google => format!("1{}", digits(20)),
        Network::Facebook => format!("1{}", digits(16)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_facebook_has_people_without_an_address() {
        let now = OffsetDateTime::UNIX_EPOCH;
        let make = |provider, email| Account::new(provider, "Mary", email, true, now);
        assert!(make(Network::Google, "").is_err());
        let nobody = make(Network::Facebook, "").unwrap();
        assert_eq!((nobody.email, nobody.email_verified), (None, false));
        assert!(make(Network::Google, "mary@playon.test").unwrap().email_verified);
        for bad in ["mary", "@playon.test", "mary@", "a@b@c", "a b@c"] {
            assert!(make(Network::Facebook, bad).is_err(), "{bad}");
        }
        assert!(Account::new(Network::Facebook, "", "", true, now).is_err());
    }
}
