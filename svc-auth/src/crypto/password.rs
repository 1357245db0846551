//! Password hashes: slow on purpose (Argon2id), so kept off the threads that
//! serve calls, and no more of them at once than there are cores.

use std::sync::Arc;

use anyhow::{Context as _, anyhow};
use argon2::{
    Algorithm, Argon2, Params, PasswordHasher as _, PasswordVerifier as _, Version,
    password_hash::{
        self,
        phc::{Output, PasswordHash},
    },
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tracing::{Instrument as _, info_span};
use types::Rng;

use super::scratch::Scratch;
use crate::domain::Password;

/// What one hash costs. The defaults in the configuration are OWASP's.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cost {
    pub(crate) memory_kib: u32,
    pub(crate) passes: u32,
    pub(crate) lanes: u32,
}

/// More people wait for a hash than would be served in good time.
#[derive(Debug)]
pub(crate) struct Busy;

/// Hashes and verifies.
#[derive(Clone)]
pub(crate) struct Hasher {
    argon2: Argon2<'static>,
    /// A hash that no password has, for emails that no account has.
    nobody: Arc<PasswordHash>,
    scratch: Arc<Scratch>,
    at_work: Arc<Semaphore>,
    in_line: Arc<Semaphore>,
}

/// What a password turned out to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Not the account's.
    Wrong,
    /// The account's.
    Right,
    /// The account's, and its stored hash is weaker than what is made today.
    Outdated {
        /// The PHC string to store instead.
        renewed: String,
    },
}

impl Verdict {
    /// Whether the password is the account's.
    pub(crate) const fn is_right(&self) -> bool {
        matches!(self, Self::Right | Self::Outdated { .. })
    }
}

/// A place in the hasher's line: one hash. It is had before a try is counted or a
/// captcha used up, so that who is turned away has lost nothing by it.
pub(crate) struct Place {
    hasher: Hasher,
    held: OwnedSemaphorePermit,
}

impl Hasher {
    /// `at_once` hashes at a time and `waiting` more in line.
    pub(crate) fn new(
        cost: Cost,
        at_once: usize,
        waiting: usize,
        rng: &Rng,
    ) -> anyhow::Result<Self> {
        let params = Params::new(cost.memory_kib, cost.passes, cost.lanes, None)
            .map_err(|error| anyhow!("the Argon2 parameters are not usable: {error}"))?;
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        let nobody = hash(&argon2, &rng.bytes::<32>(), rng.bytes())?;
        Ok(Self {
            argon2,
            nobody: Arc::new(nobody),
            scratch: Arc::default(),
            at_work: Arc::new(Semaphore::new(at_once)),
            in_line: Arc::new(Semaphore::new(at_once + waiting)),
        })
    }

    /// Gets in line, unless it is full; never waits.
    pub(crate) fn place(&self) -> Result<Place, Busy> {
        let held = Arc::clone(&self.in_line).try_acquire_owned().map_err(|_| Busy)?;
        Ok(Place { hasher: self.clone(), held })
    }
}

impl Place {
    /// The PHC string of a new password.
    pub(crate) async fn hash(self, password: Password, rng: &Rng) -> anyhow::Result<String> {
        let salt = rng.bytes();
        let argon2 = self.hasher.argon2.clone();
        self.work(move || hash(&argon2, password.bytes(), salt).map(|hash| hash.to_string())).await
    }

    /// Whether the password is the account's. With no account it costs the same
    /// work and is never right. A hash made when hashing cost less is made anew, now
    /// that the password is at hand, in the same place of the line.
    pub(crate) async fn verify(
        self,
        password: Password,
        stored: Option<&str>,
        rng: &Rng,
    ) -> anyhow::Result<Verdict> {
        let known = stored
            .map(PasswordHash::new)
            .transpose()
            .map_err(|error| anyhow!("a stored password hash cannot be read: {error}"))?;
        let is_known = known.is_some();
        let stored = known.map_or_else(|| Arc::clone(&self.hasher.nobody), Arc::new);
        let (argon2, salt) = (self.hasher.argon2.clone(), rng.bytes());
        let scratch = Arc::clone(&self.hasher.scratch);
        self.work(move || {
            let right = verify(&argon2, &scratch, password.bytes(), &stored)?;
            if !right || !is_known {
                Ok(Verdict::Wrong)
            } else if is_weaker(&stored, argon2.params()) {
                let renewed = hash(&argon2, password.bytes(), salt)?.to_string();
                Ok(Verdict::Outdated { renewed })
            } else {
                Ok(Verdict::Right)
            }
        })
        .await
    }

    async fn work<T: Send + 'static>(
        self,
        job: impl FnOnce() -> anyhow::Result<T> + Send + 'static,
    ) -> anyhow::Result<T> {
        let at_work = Arc::clone(&self.hasher.at_work);
        let turn = at_work.acquire_owned().await.context("nobody closes the line")?;
        // Both go with the job: a caller who hangs up does not stop it, and
        // must not make room for another before it is done.
        let held = (self.held, turn);
        let done = tokio::task::spawn_blocking(move || {
            let _held = held;
            job()
        });
        done.instrument(info_span!("password.hash")).await.context("a hashing thread died")?
    }
}

fn hash(argon2: &Argon2<'_>, password: &[u8], salt: [u8; 16]) -> anyhow::Result<PasswordHash> {
    argon2
        .hash_password_with_salt(password, &salt)
        .map_err(|error| anyhow!("a password could not be hashed: {error}"))
}

fn verify(
    argon2: &Argon2<'_>,
    scratch: &Scratch,
    password: &[u8],
    stored: &PasswordHash,
) -> anyhow::Result<bool> {
    let verified = match (&stored.salt, &stored.hash) {
        (Some(salt), Some(expected)) if is_of_today(stored, argon2.params()) => {
            let mut computed = vec![0; expected.len()];
            let filled = scratch.lend(argon2.params().block_count(), |memory| {
                argon2.hash_password_into_with_memory(password, salt, &mut computed, memory)
            });
            filled.map_err(|error| anyhow!("a password could not be verified: {error}"))?;
            // Compared in constant time by its type.
            return Ok(Output::new(&computed).is_ok_and(|computed| computed == *expected));
        }
        // Of other days: with what it was made with.
        _ => argon2.verify_password(password, stored),
    };
    match verified {
        Ok(()) => Ok(true),
        Err(password_hash::Error::PasswordInvalid) => Ok(false),
        Err(error) => Err(anyhow!("a password could not be verified: {error}")),
    }
}

/// Whether a hash was made as hashes are made today.
fn is_of_today(stored: &PasswordHash, today: &Params) -> bool {
    stored.algorithm.as_str() == Algorithm::Argon2id.as_str()
        && stored.version == Some(Version::V0x13.into())
        && Params::try_from(stored).is_ok_and(|made| {
            made.m_cost() == today.m_cost()
                && made.t_cost() == today.t_cost()
                && made.p_cost() == today.p_cost()
        })
}

/// Whether a hash was made for less than hashes cost today.
fn is_weaker(stored: &PasswordHash, today: &Params) -> bool {
    // What it was made with can be read, or it could not have been verified.
    Params::try_from(stored).is_ok_and(|made| {
        made.m_cost() < today.m_cost()
            || made.t_cost() < today.t_cost()
            || made.p_cost() < today.p_cost()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHEAP: Cost = Cost { memory_kib: 8, passes: 1, lanes: 1 };

    fn password(text: &str) -> Password {
        Password::offer(text.to_owned()).unwrap()
    }

    fn hasher(at_once: usize, waiting: usize) -> Hasher {
        Hasher::new(CHEAP, at_once, waiting, &Rng::from_seed(1)).unwrap()
    }

    #[tokio::test]
    async fn only_the_right_password_is_right_and_nobodys_never() {
        let hasher = hasher(1, 1);
        let rng = Rng::from_seed(2);
        let stored = hasher.place().unwrap().hash(password("sesame"), &rng).await.unwrap();
        assert!(stored.starts_with("$argon2id$v=19$m=8,t=1,p=1$"), "{stored}");
        for (typed, stored, expected) in [
            ("sesame", Some(stored.as_str()), Verdict::Right),
            ("Sesame", Some(stored.as_str()), Verdict::Wrong),
            ("sesame", None, Verdict::Wrong),
        ] {
            let place = hasher.place().unwrap();
            let verdict = place.verify(password(typed), stored, &rng).await.unwrap();
            assert_eq!(verdict, expected, "{typed}");
        }
    }

    #[tokio::test]
    async fn a_hash_that_cost_less_is_made_anew_and_one_that_cost_more_is_kept() {
        let rng = Rng::from_seed(2);
        let hasher = |memory_kib, passes| {
            Hasher::new(Cost { memory_kib, passes, lanes: 1 }, 1, 1, &rng).unwrap()
        };
        let old = hasher(8, 1).place().unwrap().hash(password("sesame"), &rng).await.unwrap();
        let verify = async |hasher: &Hasher, typed, stored: &str| {
            let place = hasher.place().unwrap();
            place.verify(password(typed), Some(stored), &rng).await.unwrap()
        };
        for raised in [hasher(16, 1), hasher(8, 2)] {
            let verdict = verify(&raised, "sesame", &old).await;
            assert!(verdict.is_right());
            let Verdict::Outdated { renewed } = verdict else { panic!("{verdict:?}") };
            assert_eq!(verify(&raised, "sesame", &renewed).await, Verdict::Right);
            assert_eq!(verify(&raised, "Sesame", &renewed).await, Verdict::Wrong);
            assert_eq!(verify(&raised, "Sesame", &old).await, Verdict::Wrong);
            assert_eq!(verify(&hasher(8, 1), "sesame", &renewed).await, Verdict::Right);
        }
    }

    #[tokio::test]
    async fn a_full_line_turns_the_next_away() {
        let hasher = hasher(1, 1);
        let turn = Arc::clone(&hasher.at_work).acquire_owned().await.unwrap();
        let rng = Rng::from_seed(2);
        let waiting = hasher.place().unwrap().verify(password("first"), None, &rng);
        tokio::pin!(waiting);
        assert!(
            futures_poll_once(waiting.as_mut()).await.is_none(),
            "the first waits for its turn"
        );
        let place = hasher.place().unwrap();
        assert!(hasher.place().is_err(), "one at work and one in line are all");
        drop((turn, place));
        assert_eq!(waiting.await.unwrap(), Verdict::Wrong);
    }

    async fn futures_poll_once<F: Future>(mut future: std::pin::Pin<&mut F>) -> Option<F::Output> {
        std::future::poll_fn(|cx| {
            std::task::Poll::Ready(match future.as_mut().poll(cx) {
                std::task::Poll::Ready(output) => Some(output),
                std::task::Poll::Pending => None,
            })
        })
        .await
    }
}
