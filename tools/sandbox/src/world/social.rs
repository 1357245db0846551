//! Google and Facebook: their people, and what they have promised to their
//! clients.

use std::collections::{BTreeMap, VecDeque};

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use super::account::{Account, Network};
use super::state::push_bounded;

/// Accounts that exist at a time; beyond, the longest unused one goes.
pub(crate) const MAX_ACCOUNTS: usize = 200;
/// Codes, and access tokens, that are remembered; beyond, the oldest go.
pub(crate) const MAX_GRANTS: usize = 500;

/// What is wrong with the next ID token.
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

/// What the next person at a provider's page does, without seeing it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Next {
    pub(crate) provider: Network,
    /// The account's id; none: the person declines.
    pub(crate) sub: Option<String>,
}

/// What a test has ordered for the next sign-in.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Orders {
    pub(crate) next: Option<Next>,
    pub(crate) tamper: Tamper,
}

/// A promise to one client about one account, told by its code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Grant {
    pub(crate) provider: Network,
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
    /// The access token that it was exchanged for.
    pub(crate) token: Option<String>,
}

/// What an access token opens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Access {
    pub(crate) provider: Network,
    pub(crate) token: String,
    pub(crate) sub: String,
    pub(crate) scope: String,
    #[serde(with = "time::serde::rfc3339")]
    pub(crate) expires_at: OffsetDateTime,
}

/// Whether a scope is among these, which are separated by spaces or, as
/// Facebook likes, commas.
pub(crate) fn has_scope(scopes: &str, scope: &str) -> bool {
    scopes.split([' ', ',']).any(|one| one == scope)
}

/// Something that happened at a provider.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "social", content = "of", rename_all = "camelCase")]
pub(crate) enum SocialFact {
    Account(Account),
    Grant(Grant),
    Access(Access),
    /// This access token opens nothing any more.
    Revoked(String),
    Orders(Orders),
    Rotations(u32),
}

/// The providers as they are now.
#[derive(Debug, Default)]
pub(crate) struct Social {
    accounts: BTreeMap<(Network, String), Account>,
    /// Oldest first.
    grants: VecDeque<Grant>,
    /// Oldest first.
    access: VecDeque<Access>,
    pub(crate) orders: Orders,
    /// How often Google has changed its signing key.
    pub(crate) rotations: u32,
}

impl Social {
    /// What a reset leaves: a client may still hold the keys.
    pub(crate) fn after_reset(&self) -> Self {
        Self { rotations: self.rotations, ..Self::default() }
    }

    pub(crate) fn apply(&mut self, fact: SocialFact) {
        match fact {
            SocialFact::Account(account) => {
                self.accounts.insert((account.provider, account.sub.clone()), account);
                self.drop_idle_account();
            }
            SocialFact::Grant(grant) => {
                match self.grants.iter_mut().find(|known| known.code == grant.code) {
                    Some(known) => *known = grant,
                    None => push_bounded(&mut self.grants, grant, MAX_GRANTS),
                }
            }
            SocialFact::Access(access) => {
                push_bounded(&mut self.access, access, MAX_GRANTS);
            }
            SocialFact::Revoked(token) => self.access.retain(|access| access.token != token),
            SocialFact::Orders(orders) => self.orders = orders,
            SocialFact::Rotations(rotations) => self.rotations = rotations,
        }
    }

    /// The fewest facts that give this again.
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

    /// The account that this id or address names.
    pub(crate) fn account(&self, provider: Network, key: &str) -> Option<&Account> {
        self.accounts.values().find(|account| account.provider == provider && account.is(key))
    }

    pub(crate) fn grant(&self, provider: Network, code: &str) -> Option<&Grant> {
        self.grants.iter().find(|grant| grant.provider == provider && grant.code == code)
    }

    /// What this token opens now, and whose it is.
    pub(crate) fn access(
        &self,
        provider: Network,
        token: &str,
        now: OffsetDateTime,
    ) -> Option<(&Access, &Account)> {
        let good = |access: &&Access| {
            access.provider == provider && access.token == token && access.expires_at > now
        };
        let access = self.access.iter().find(good)?;
        Some((access, self.accounts.get(&(provider, access.sub.clone()))?))
    }

    fn drop_idle_account(&mut self) {
        if self.accounts.len() <= MAX_ACCOUNTS {
            return;
        }
        let idle = self.accounts.iter().min_by_key(|(_, account)| account.used_at);
        if let Some(idle) = idle.map(|(key, _)| key.clone()) {
            self.accounts.remove(&idle);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use time::Duration;

    fn account(n: usize) -> Account {
        Account {
            provider: Network::Google,
            sub: format!("{n}"),
            name: "Mary".into(),
            email: Some(format!("p{n}@playon.test")),
            email_verified: true,
            used_at: OffsetDateTime::UNIX_EPOCH + Duration::seconds(i64::try_from(n).unwrap()),
        }
    }

    #[test]
    fn the_facts_of_the_providers_give_them_again() {
        let mut social = Social::default();
        social.apply(SocialFact::Account(account(7)));
        let orders = Orders {
            next: Some(Next { provider: Network::Google, sub: None }),
            tamper: Tamper::Expired,
        };
        social.apply(SocialFact::Orders(orders.clone()));
        social.apply(SocialFact::Rotations(3));
        let mut again = Social::default();
        for fact in social.facts() {
            let line = serde_json::to_string(&fact).unwrap();
            again.apply(serde_json::from_str(&line).unwrap());
        }
        assert_eq!(again.account(Network::Google, "P7@PlayOn.test"), Some(&account(7)));
        assert_eq!(again.account(Network::Facebook, "7"), None);
        assert_eq!((again.orders, again.rotations), (orders, 3));
    }

    #[test]
    fn a_full_provider_forgets_the_longest_unused_account() {
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
