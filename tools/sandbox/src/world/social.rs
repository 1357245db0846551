//! The state of Google and Facebook: accounts, codes and access tokens.

use std::collections::{BTreeMap, VecDeque};

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use super::account::{Account, IdentityProvider};
use super::bounded::{evict_idle, push_bounded};

/// Most accounts; beyond it the one that was unused longest is removed.
const MAX_ACCOUNTS: usize = 200;
/// Most codes, and most access tokens; beyond it the oldest are removed.
const MAX_GRANTS: usize = 500;

/// The defect of the next ID token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Tamper {
    #[default]
    None,
    WrongNonce,
    WrongSignature,
    WrongAudience,
    Expired,
    WrongIssuer,
}

/// The answer to the next authorization request, given without showing the page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Next {
    pub(crate) provider: IdentityProvider,
    /// The account's id; absent if the person declines.
    pub(crate) sub: Option<String>,
}

/// The orders of a test for the next sign-in.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Orders {
    pub(crate) next: Option<Next>,
    pub(crate) tamper: Tamper,
}

/// An authorization of one account, identified by its code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Grant {
    pub(crate) provider: IdentityProvider,
    pub(crate) code: String,
    pub(crate) redirect_uri: String,
    pub(crate) sub: String,
    pub(crate) scope: String,
    pub(crate) nonce: Option<String>,
    /// PKCE's `S256` challenge.
    pub(crate) challenge: Option<String>,
    pub(crate) tamper: Tamper,
    #[serde(with = "time::serde::rfc3339")]
    pub(crate) expires_at: OffsetDateTime,
    /// The access token that the code was exchanged for.
    pub(crate) token: Option<String>,
}

/// An access token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Access {
    pub(crate) provider: IdentityProvider,
    pub(crate) token: String,
    pub(crate) sub: String,
    pub(crate) scope: String,
    #[serde(with = "time::serde::rfc3339")]
    pub(crate) expires_at: OffsetDateTime,
}

/// Whether these scopes, separated by spaces or (at Facebook) commas, contain this scope.
pub(crate) fn has_scope(scopes: &str, scope: &str) -> bool {
    scopes.split([' ', ',']).any(|one| one == scope)
}

/// A change of [`Social`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "social", content = "of", rename_all = "camelCase")]
pub(crate) enum SocialFact {
    Account(Account),
    Grant(Grant),
    Access(Access),
    /// This access token is revoked.
    Revoked(String),
    Orders(Orders),
    Rotations(u32),
}

#[derive(Debug, Default)]
pub(crate) struct Social {
    accounts: BTreeMap<(IdentityProvider, String), Account>,
    /// Codes, oldest first.
    grants: VecDeque<Grant>,
    /// Access tokens, oldest first.
    access: VecDeque<Access>,
    pub(crate) orders: Orders,
    /// How often Google has changed its signing key.
    pub(crate) rotations: u32,
}

impl Social {
    /// The state after a reset: a client may still have cached the keys.
    pub(crate) fn after_reset(&self) -> Self {
        Self { rotations: self.rotations, ..Self::default() }
    }

    pub(crate) fn apply(&mut self, fact: SocialFact) {
        match fact {
            SocialFact::Account(account) => {
                self.accounts.insert((account.provider, account.sub.clone()), account);
                evict_idle(&mut self.accounts, MAX_ACCOUNTS, |account| Some(account.used_at));
            }
            SocialFact::Grant(grant) => {
                match self.grants.iter_mut().find(|known| known.code == grant.code) {
                    Some(known) => *known = grant,
                    None => push_bounded(&mut self.grants, grant, MAX_GRANTS),
                }
            }
            SocialFact::Access(access) => push_bounded(&mut self.access, access, MAX_GRANTS),
            SocialFact::Revoked(token) => self.access.retain(|access| access.token != token),
            SocialFact::Orders(orders) => self.orders = orders,
            SocialFact::Rotations(rotations) => self.rotations = rotations,
        }
    }

    /// The facts that make this state from an empty one.
    pub(crate) fn facts(&self) -> impl Iterator<Item = SocialFact> + '_ {
        let accounts = self.accounts.values().cloned().map(SocialFact::Account);
        let grants = self.grants.iter().cloned().map(SocialFact::Grant);
        let access = self.access.iter().cloned().map(SocialFact::Access);
        let rest = [SocialFact::Orders(self.orders.clone()), SocialFact::Rotations(self.rotations)];
        accounts.chain(grants).chain(access).chain(rest)
    }

    /// All accounts, the last used first.
    pub(crate) fn accounts(&self) -> Vec<&Account> {
        let mut accounts: Vec<&Account> = self.accounts.values().collect();
        accounts.sort_by_key(|account| std::cmp::Reverse(account.used_at));
        accounts
    }

    /// The account with this id or address.
    pub(crate) fn account(&self, provider: IdentityProvider, key: &str) -> Option<&Account> {
        self.accounts.values().find(|account| account.provider == provider && account.matches(key))
    }

    pub(crate) fn grant(&self, provider: IdentityProvider, code: &str) -> Option<&Grant> {
        self.grants.iter().find(|grant| grant.provider == provider && grant.code == code)
    }

    /// The valid access token with this value, and its account.
    pub(crate) fn access(
        &self,
        provider: IdentityProvider,
        token: &str,
        now: OffsetDateTime,
    ) -> Option<(&Access, &Account)> {
        let access = self.access.iter().find(|access| {
            access.provider == provider && access.token == token && access.expires_at > now
        })?;
        Some((access, self.accounts.get(&(provider, access.sub.clone()))?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use time::Duration;

    fn account(n: usize) -> Account {
        Account {
            provider: IdentityProvider::Google,
            sub: format!("{n}"),
            name: "Mary".into(),
            email: Some(format!("p{n}@playon.test")),
            email_verified: true,
            hosted_domain: None,
            used_at: OffsetDateTime::UNIX_EPOCH + Duration::seconds(i64::try_from(n).unwrap()),
        }
    }

    #[test]
    fn facts_restore_the_state() {
        let mut social = Social::default();
        social.apply(SocialFact::Account(account(7)));
        let orders = Orders {
            next: Some(Next { provider: IdentityProvider::Google, sub: None }),
            tamper: Tamper::Expired,
        };
        social.apply(SocialFact::Orders(orders.clone()));
        social.apply(SocialFact::Rotations(3));
        let mut restored = Social::default();
        for fact in social.facts() {
            let line = serde_json::to_string(&fact).unwrap();
            restored.apply(serde_json::from_str(&line).unwrap());
        }
        let found = restored.account(IdentityProvider::Google, "P7@PlayOn.test");
        assert_eq!(found, Some(&account(7)));
        assert_eq!(restored.account(IdentityProvider::Facebook, "7"), None);
        assert_eq!((restored.orders, restored.rotations), (orders, 3));
    }

    #[test]
    fn drops_the_longest_unused_account_beyond_the_limit() {
        let mut social = Social::default();
        for n in 0..=MAX_ACCOUNTS {
            social.apply(SocialFact::Account(account(n)));
        }
        let accounts = social.accounts();
        assert_eq!(accounts.len(), MAX_ACCOUNTS);
        assert_eq!(accounts[0].sub, format!("{MAX_ACCOUNTS}"));
        assert_eq!(accounts[MAX_ACCOUNTS - 1].sub, "1");
    }
}
