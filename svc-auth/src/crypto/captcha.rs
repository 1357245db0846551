//! The captcha: a proof of work (ALTCHA v2), which makes registering accounts in bulk
//! expensive. No data leaves PlayOn, and nothing is stored until a solution is spent.

use std::{sync::Arc, time::Duration};

use altcha::{Challenge, CreateChallengeOptions, HmacAlgorithm, Payload};
use anyhow::Context as _;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use mesh::auth::MacKey;
use secrecy::{ExposeSecret as _, SecretString};
use subtle::ConstantTimeEq as _;
use time::OffsetDateTime;
use tokio::sync::Semaphore;
use types::Rng;

use super::Busy;

/// Challenges that are made at once: each takes about a millisecond of a core.
const AT_ONCE: usize = 1;
/// Challenges that are made or queued: some 60 ms of work.
const LINE: usize = 64;

/// The work of a captcha.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Effort {
    /// PBKDF2 iterations of one try.
    pub(crate) iterations: u32,
    /// Tries at most. At least half as many are needed.
    pub(crate) tries: u32,
}

/// Creates challenges and verifies solutions.
#[derive(Clone)]
pub(crate) struct Captcha {
    challenge_secret: SecretString,
    solution_secret: SecretString,
    effort: Effort,
    ttl: Duration,
    line: Arc<Semaphore>,
    turns: Arc<Semaphore>,
}

/// A right solution, which may have been spent before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Solved {
    /// Our signature, which identifies the challenge.
    pub(crate) signature: String,
    /// When the challenge expires. Until then a spent solution is stored.
    pub(crate) expires_at: OffsetDateTime,
}

impl Captcha {
    /// Longest payload that is parsed, in bytes. The widget's is much shorter.
    const MAX_PAYLOAD: usize = 4_096;

    pub(crate) fn new(key: &MacKey, effort: Effort, ttl: Duration) -> Self {
        Self {
            challenge_secret: key.derive_text("captcha-challenge"),
            solution_secret: key.derive_text("captcha-solution"),
            effort,
            ttl,
            line: Arc::new(Semaphore::new(LINE)),
            turns: Arc::new(Semaphore::new(AT_ONCE)),
        }
    }

    /// Returns a new challenge, made on a thread that serves no calls, so that a flood of them
    /// leaves the other cores alone. Refused when the queue is full.
    pub(crate) async fn create(
        &self,
        factor: u32,
        rng: &Rng,
        now: OffsetDateTime,
    ) -> anyhow::Result<Result<String, Busy>> {
        let Ok(_place) = self.line.try_acquire() else { return Ok(Err(Busy)) };
        let _turn = self.turns.acquire().await?;
        let (captcha, rng) = (self.clone(), rng.clone());
        let made = tokio::task::spawn_blocking(move || captcha.challenge(factor, &rng, now));
        Ok(Ok(made.await.context("making a captcha panicked")??))
    }

    /// A new challenge, in the widget's JSON, of `factor` times the usual work.
    ///
    /// The solution is a random number, and the widget counts up to it, so the time to
    /// solve it has an upper limit. Creating a challenge costs one try.
    fn challenge(&self, factor: u32, rng: &Rng, now: OffsetDateTime) -> anyhow::Result<String> {
        let tries = self.effort.tries.saturating_mul(factor);
        let half = tries / 2;
        let offset = u32::from_be_bytes(rng.bytes()) % (tries - half).max(1);
        let challenge = altcha::create_challenge(CreateChallengeOptions {
            algorithm: "PBKDF2/SHA-256".to_owned(),
            cost: self.effort.iterations,
            counter: Some(half + offset),
            expires_at: Some((now + self.ttl).unix_timestamp()),
            hmac_signature_secret: Some(self.challenge_secret.expose_secret().to_owned()),
            hmac_key_signature_secret: Some(self.solution_secret.expose_secret().to_owned()),
            ..CreateChallengeOptions::default()
        })
        .context("a captcha could not be created")?;
        Ok(serde_json::to_string(&challenge)?)
    }

    /// Verifies the widget's payload; `None` when it is expired, wrong or not ours.
    ///
    /// The library's own check reads the machine's clock. This one signs the challenge
    /// again with the solution: the signature is the original one only if nothing was
    /// changed and the solution is right.
    pub(crate) fn verify(&self, payload: &str, now: OffsetDateTime) -> Option<Solved> {
        if payload.len() > Self::MAX_PAYLOAD {
            return None;
        }
        let payload: Payload = serde_json::from_slice(&STANDARD.decode(payload).ok()?).ok()?;
        let Challenge { mut parameters, signature } = payload.challenge;
        let given = signature?;
        let solution = hex::decode(&payload.solution.derived_key).ok()?;
        let ours = altcha::sign_challenge(
            &HmacAlgorithm::Sha256,
            &mut parameters,
            Some(&solution),
            self.challenge_secret.expose_secret(),
            Some(self.solution_secret.expose_secret()),
        )
        .ok()?
        .signature?;
        if !bool::from(ours.as_bytes().ct_eq(given.as_bytes())) {
            return None;
        }
        let expires_at = OffsetDateTime::from_unix_timestamp(parameters.expires_at?).ok()?;
        (now < expires_at).then_some(Solved { signature: ours, expires_at })
    }
}

#[cfg(test)]
mod tests {
    use altcha::{SolveChallengeOptions, solve_challenge};
    use time::macros::datetime;

    use super::*;

    const NOW: OffsetDateTime = datetime!(2026-11-20 09:00 UTC);

    fn captcha(byte: u8) -> Captcha {
        let secret = STANDARD.encode([byte; 32]);
        let key = MacKey::parse("CAPTCHA_SECRET", &secret.into()).unwrap();
        let effort = Effort { iterations: 2, tries: 8 };
        Captcha::new(&key, effort, Duration::from_mins(5))
    }

    fn solve(challenge: &str) -> Payload {
        let challenge: Challenge = serde_json::from_str(challenge).unwrap();
        let solution = solve_challenge(SolveChallengeOptions::new(&challenge)).unwrap().unwrap();
        Payload { challenge, solution }
    }

    fn encode(payload: &Payload) -> String {
        STANDARD.encode(serde_json::to_vec(payload).unwrap())
    }

    #[test]
    fn a_solution_is_right_until_the_challenge_expires() {
        let captcha = captcha(1);
        let challenge = captcha.challenge(1, &Rng::from_seed(1), NOW).unwrap();
        let payload = encode(&solve(&challenge));
        let last = NOW + Duration::from_secs(299);
        assert!(captcha.verify(&payload, last).is_some());
        assert_eq!(captcha.verify(&payload, NOW + Duration::from_mins(5)), None);
    }

    #[tokio::test]
    async fn a_full_line_refuses() {
        let (captcha, rng) = (captcha(1), Rng::from_seed(1));
        let create = || captcha.create(1, &rng, NOW);
        assert!(create().await.unwrap().is_ok());
        let _all = captcha.line.try_acquire_many(64).unwrap();
        assert!(create().await.unwrap().is_err());
    }

    #[test]
    fn the_solution_lies_within_the_effort() {
        let captcha = captcha(1);
        let rng = Rng::from_seed(1);
        for (factor, counters) in [(1, 4..8), (8, 32..64)] {
            for _ in 0..25 {
                let solved = solve(&captcha.challenge(factor, &rng, NOW).unwrap());
                assert!(counters.contains(&solved.solution.counter), "{factor}");
            }
        }
    }

    #[test]
    fn changed_unsigned_and_unsolved_challenges_are_refused() {
        let captcha = captcha(1);
        let right = solve(&captcha.challenge(1, &Rng::from_seed(1), NOW).unwrap());
        let mut longer = right.clone();
        longer.challenge.parameters.expires_at = Some(i64::MAX);
        let mut easier = right.clone();
        easier.challenge.parameters.cost = 1;
        let mut unsolved = right.clone();
        unsolved.solution.derived_key = "00".repeat(32);
        let mut garbled = right.clone();
        garbled.solution.derived_key = "é".to_owned();
        let mut unsigned = right.clone();
        unsigned.challenge.signature = None;
        let foreign =
            solve(&super::tests::captcha(2).challenge(1, &Rng::from_seed(1), NOW).unwrap());
        for bad in [longer, easier, unsolved, garbled, unsigned, foreign] {
            assert_eq!(captcha.verify(&encode(&bad), NOW), None, "{bad:?}");
        }
        for text in ["", "e30=", "not base64", &"A".repeat(10_000)] {
            assert_eq!(captcha.verify(text, NOW), None, "{text}");
        }
        assert!(captcha.verify(&encode(&right), NOW).is_some());
    }
}
