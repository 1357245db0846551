//! Password hashes: Argon2id, on threads of their own.

use std::sync::Arc;

use anyhow::{Context as _, anyhow};
use argon2::{
    Algorithm, Argon2, Block, Params, Version,
    password_hash::phc::{Output, ParamsString, PasswordHash, Salt},
};
use tokio::sync::OwnedSemaphorePermit;
use tracing::{Instrument as _, info_span};
use types::Rng;

use super::hash_workers::{Busy, HashWorkers};
use crate::domain::Password;

/// What one hash costs. The defaults in the configuration are OWASP's.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cost {
    pub(crate) memory_kib: u32,
    pub(crate) passes: u32,
    pub(crate) lanes: u32,
}

/// Hashes and verifies passwords.
#[derive(Clone)]
pub(crate) struct Hasher {
    params: Params,
    /// The hash of a random password, which is verified for emails without an account, so
    /// that both cases take the same time.
    decoy: Arc<PasswordHash>,
    workers: HashWorkers,
}

/// The result of comparing a password with an account's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PasswordCheck {
    /// The password is another one, or there is no account.
    Wrong,
    /// The password is the account's.
    Right,
    /// The password is the account's, and the stored hash is weaker than new ones.
    Outdated {
        /// The PHC string to store instead.
        renewed: String,
    },
}

impl PasswordCheck {
    /// Whether the password is the account's.
    pub(crate) const fn is_right(&self) -> bool {
        matches!(self, Self::Right | Self::Outdated { .. })
    }
}

/// Room for one hash. Acquire it before an attempt is counted or a captcha is spent, so
/// that a caller who is refused for overload has lost neither.
pub(crate) struct HashPermit {
    hasher: Hasher,
    permit: OwnedSemaphorePermit,
}

impl Hasher {
    /// `concurrency` hashes are computed at a time, and `waiting` more may be queued.
    pub(crate) fn new(
        cost: Cost,
        concurrency: usize,
        waiting: usize,
        rng: &Rng,
    ) -> anyhow::Result<Self> {
        let params = Params::new(cost.memory_kib, cost.passes, cost.lanes, None)
            .map_err(|error| anyhow!("the Argon2 parameters are not usable: {error}"))?;
        let blocks = params.block_count();
        let decoy =
            hash(&params, &rng.bytes::<32>(), rng.bytes(), &mut vec![Block::new(); blocks])?;
        let workers = HashWorkers::start(concurrency, waiting, blocks)?;
        Ok(Self { params, decoy: Arc::new(decoy), workers })
    }

    /// Reserves room for one hash, without waiting.
    pub(crate) fn acquire(&self) -> Result<HashPermit, Busy> {
        Ok(HashPermit { permit: self.workers.acquire()?, hasher: self.clone() })
    }
}

impl HashPermit {
    /// The PHC string of a new password.
    pub(crate) async fn hash(self, password: Password, rng: &Rng) -> anyhow::Result<String> {
        let Self { hasher, permit } = self;
        let (params, salt) = (hasher.params, rng.bytes());
        let job = move |memory: &mut [Block]| {
            hash(&params, password.bytes(), salt, memory).map(|hash| hash.to_string())
        };
        hasher.workers.run(permit, job).instrument(info_span!("password.hash")).await
    }

    /// Compares a password with the stored one. Without a stored one it costs the same work
    /// and is wrong. A hash with weaker parameters than today's, or of a password as it was typed,
    /// is computed anew while the password is at hand.
    pub(crate) async fn verify(
        self,
        password: Password,
        stored: Option<&str>,
        rng: &Rng,
    ) -> anyhow::Result<PasswordCheck> {
        let Self { hasher, permit } = self;
        let parsed = stored
            .map(PasswordHash::new)
            .transpose()
            .map_err(|error| anyhow!("a stored password hash cannot be parsed: {error}"))?;
        let has_account = parsed.is_some();
        let stored = parsed.map_or_else(|| Arc::clone(&hasher.decoy), Arc::new);
        let (params, salt) = (hasher.params, rng.bytes());
        let job = move |memory: &mut [Block]| {
            let mut matches = verify(password.bytes(), &stored, memory)?;
            let mut is_outdated = is_weaker(&stored, &params);
            if let Some(typed) = password.typed_bytes()
                && !matches
            {
                matches = verify(typed, &stored, memory)?;
                is_outdated = true;
            }
            if !matches || !has_account {
                Ok(PasswordCheck::Wrong)
            } else if is_outdated {
                let renewed = hash(&params, password.bytes(), salt, memory)?.to_string();
                Ok(PasswordCheck::Outdated { renewed })
            } else {
                Ok(PasswordCheck::Right)
            }
        };
        hasher.workers.run(permit, job).instrument(info_span!("password.hash")).await
    }
}

fn hash(
    params: &Params,
    password: &[u8],
    salt: [u8; 16],
    memory: &mut [Block],
) -> anyhow::Result<PasswordHash> {
    let mut output = [0; Params::DEFAULT_OUTPUT_LEN];
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params.clone())
        .hash_password_into_with_memory(password, &salt, &mut output, memory)
        .map_err(|error| anyhow!("a password could not be hashed: {error}"))?;
    Ok(PasswordHash {
        algorithm: Algorithm::Argon2id.ident(),
        version: Some(Version::V0x13.into()),
        params: ParamsString::try_from(params)?,
        salt: Some(Salt::new(&salt)?),
        hash: Some(Output::new(&output)?),
    })
}

/// Computes the hash again with the parameters of the stored one.
fn verify(password: &[u8], stored: &PasswordHash, memory: &mut [Block]) -> anyhow::Result<bool> {
    let (Some(salt), Some(expected)) = (&stored.salt, &stored.hash) else {
        return Err(anyhow!("a stored password hash without a salt or a hash"));
    };
    let params = Params::try_from(stored)?;
    let version = stored.version.map(Version::try_from).transpose()?.unwrap_or_default();
    let algorithm = Algorithm::try_from(stored.algorithm.as_str())?;
    let blocks = params.block_count();
    let argon2 = Argon2::new(algorithm, version, params);
    let mut output = vec![0; expected.len()];
    let computed = if blocks <= memory.len() {
        argon2.hash_password_into_with_memory(password, salt, &mut output, memory)
    } else {
        // The password was hashed when hashes took more memory than now.
        let mut larger = vec![Block::new(); blocks];
        argon2.hash_password_into_with_memory(password, salt, &mut output, &mut larger)
    };
    computed.map_err(|error| anyhow!("a password could not be verified: {error}"))?;
    let output = Output::new(&output).context("a computed hash of invalid length")?;
    // `Output` compares in constant time.
    Ok(output == *expected)
}

/// Whether a stored hash took less work than new ones.
fn is_weaker(stored: &PasswordHash, today: &Params) -> bool {
    // Verifying it has parsed the same parameters.
    Params::try_from(stored).is_ok_and(|params| {
        params.m_cost() < today.m_cost()
            || params.t_cost() < today.t_cost()
            || params.p_cost() < today.p_cost()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHEAP: Cost = Cost { memory_kib: 8, passes: 1, lanes: 1 };

    fn password(text: &str) -> Password {
        Password::parse(text.to_owned()).unwrap()
    }

    fn hasher(concurrency: usize, waiting: usize) -> Hasher {
        Hasher::new(CHEAP, concurrency, waiting, &Rng::from_seed(1)).unwrap()
    }

    #[tokio::test]
    async fn only_the_accounts_password_is_right_and_none_is_without_an_account() {
        let hasher = hasher(1, 1);
        let rng = Rng::from_seed(2);
        let stored = hasher.acquire().unwrap().hash(password("sesame"), &rng).await.unwrap();
        assert!(stored.starts_with("$argon2id$v=19$m=8,t=1,p=1$"), "{stored}");
        for (entered, stored, expected) in [
            ("sesame", Some(stored.as_str()), PasswordCheck::Right),
            ("Sesame", Some(stored.as_str()), PasswordCheck::Wrong),
            ("sesame", None, PasswordCheck::Wrong),
        ] {
            let permit = hasher.acquire().unwrap();
            let check = permit.verify(password(entered), stored, &rng).await.unwrap();
            assert_eq!(check, expected, "{entered}");
        }
    }

    #[tokio::test]
    async fn a_password_is_right_in_either_normal_form_also_against_a_hash_of_before() {
        let (hasher, rng) = (hasher(1, 1), Rng::from_seed(2));
        let (composed, decomposed) = ("K\u{129}amb\u{169}", "Ki\u{303}ambu\u{303}");
        let check = async |typed: &str, stored: &str| {
            let permit = hasher.acquire().unwrap();
            permit.verify(password(typed), Some(stored), &rng).await.unwrap()
        };
        for typed in [composed, decomposed] {
            let stored = hasher.acquire().unwrap().hash(password(typed), &rng).await.unwrap();
            assert_eq!(check(composed, &stored).await, PasswordCheck::Right);
            assert_eq!(check(decomposed, &stored).await, PasswordCheck::Right);
        }
        let mut memory = vec![Block::new(); hasher.params.block_count()];
        let before = hash(&hasher.params, decomposed.as_bytes(), rng.bytes(), &mut memory).unwrap();
        let outdated = check(decomposed, &before.to_string()).await;
        let PasswordCheck::Outdated { renewed } = outdated else { panic!("{outdated:?}") };
        assert_eq!(check(composed, &renewed).await, PasswordCheck::Right);
        assert_eq!(check("Kiambu", &renewed).await, PasswordCheck::Wrong);
    }

    #[tokio::test]
    async fn a_hash_with_weaker_parameters_is_renewed_and_a_stronger_one_is_kept() {
        let rng = Rng::from_seed(2);
        let hasher = |memory_kib, passes| {
            Hasher::new(Cost { memory_kib, passes, lanes: 1 }, 1, 1, &rng).unwrap()
        };
        let old = hasher(8, 1).acquire().unwrap().hash(password("sesame"), &rng).await.unwrap();
        let verify = async |hasher: &Hasher, entered, stored: &str| {
            let permit = hasher.acquire().unwrap();
            permit.verify(password(entered), Some(stored), &rng).await.unwrap()
        };
        for raised in [hasher(16, 1), hasher(8, 2)] {
            let check = verify(&raised, "sesame", &old).await;
            assert!(check.is_right());
            let PasswordCheck::Outdated { renewed } = check else { panic!("{check:?}") };
            assert_eq!(verify(&raised, "sesame", &renewed).await, PasswordCheck::Right);
            assert_eq!(verify(&raised, "Sesame", &renewed).await, PasswordCheck::Wrong);
            assert_eq!(verify(&raised, "Sesame", &old).await, PasswordCheck::Wrong);
            assert_eq!(verify(&hasher(8, 1), "sesame", &renewed).await, PasswordCheck::Right);
        }
    }

    #[tokio::test]
    async fn a_hash_is_the_one_that_argon2_itself_verifies() {
        use argon2::PasswordVerifier as _;
        let rng = Rng::from_seed(2);
        let permit = hasher(1, 1).acquire().unwrap();
        let stored = permit.hash(password("sesame"), &rng).await.unwrap();
        let parsed = PasswordHash::new(&stored).unwrap();
        assert!(Argon2::default().verify_password(b"sesame", &parsed).is_ok());
        assert!(Argon2::default().verify_password(b"Sesame", &parsed).is_err());
    }

    #[tokio::test]
    async fn overload_refuses_a_permit() {
        let hasher = hasher(1, 1);
        let permits = (hasher.acquire().unwrap(), hasher.acquire().unwrap());
        assert!(hasher.acquire().is_err(), "one at work and one queued are all");
        drop(permits);
        assert!(hasher.acquire().is_ok());
    }
}
