//! The captcha: a proof of work (ALTCHA v2), so that making accounts by the
//! thousand costs somebody. No player data leaves, and nothing is stored until
//! a solution is used.

use std::time::Duration;

use altcha::{Challenge, CreateChallengeOptions, HmacAlgorithm, Payload};
use anyhow::Context as _;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use secrecy::{ExposeSecret as _, SecretString};
use subtle::ConstantTimeEq as _;
use time::OffsetDateTime;
use types::Rng;

use super::Key;

/// How much work a captcha is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Effort {
    /// PBKDF2 iterations of one try.
    pub(crate) iterations: u32,
    /// Tries at most; at least half as many.
    pub(crate) tries: u32,
}

/// Makes challenges and judges solutions.
#[derive(Clone)]
pub(crate) struct Captcha {
    challenge_secret: SecretString,
    solution_secret: SecretString,
    effort: Effort,
    ttl: Duration,
}

/// A right solution, not yet known to be unused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Solved {
    /// Which challenge: our own signature of it.
    pub(crate) signature: String,
    /// Until when it has to be remembered.
    pub(crate) expires_at: OffsetDateTime,
}

impl Captcha {
    /// Far more than the widget's payload has.
    const MAX_PAYLOAD: usize = 4_096;

    pub(crate) fn new(key: &Key, effort: Effort, ttl: Duration) -> Self {
        Self {
            challenge_secret: key.derive_text("captcha-challenge"),
            solution_secret: key.derive_text("captcha-solution"),
            effort,
            ttl,
        }
    }

    /// A fresh challenge, as the widget reads it, of `factor` times the usual work.
    ///
    /// The solution is a number drawn here, and the widget counts up to it: the
    /// time it takes has a ceiling, which luck would not give. Costs us one try.
    pub(crate) fn challenge(
        &self,
        factor: u32,
        rng: &Rng,
        now: OffsetDateTime,
    ) -> anyhow::Result<String> {
        let tries = self.effort.tries.saturating_mul(factor);
        let half = tries / 2;
        let drawn = u32::from_be_bytes(rng.bytes()) % (tries - half).max(1);
        let challenge = altcha::create_challenge(CreateChallengeOptions {
            algorithm: "PBKDF2/SHA-256".to_owned(),
            cost: self.effort.iterations,
            counter: Some(half + drawn),
            expires_at: Some((now + self.ttl).unix_timestamp()),
            hmac_signature_secret: Some(self.challenge_secret.expose_secret().to_owned()),
            hmac_key_signature_secret: Some(self.solution_secret.expose_secret().to_owned()),
            ..CreateChallengeOptions::default()
        })
        .context("a captcha could not be made")?;
        Ok(serde_json::to_string(&challenge)?)
    }

    /// Judges the widget's payload; `None` when it is old, wrong or not ours.
    ///
    /// The library's own check reads the machine's clock. This one signs again
    /// what came, with the solution that came: the signature that we gave comes
    /// out only if nothing was changed and the solution is right.
    pub(crate) fn judge(&self, payload: &str, now: OffsetDateTime) -> Option<Solved> {
        if payload.len() > Self::MAX_PAYLOAD {
            return None;
        }
        let payload: Payload = serde_json::from_slice(&STANDARD.decode(payload).ok()?).ok()?;
        let Challenge { mut parameters, signature } = payload.challenge;
        let given = signature?;
        let solution = from_hex(&payload.solution.derived_key)?;
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

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digits = text
        .chars()
        .map(|c| c.to_digit(16).and_then(|digit| u8::try_from(digit).ok()))
        .collect::<Option<Vec<_>>>()?;
    let (pairs, []) = digits.as_chunks::<2>() else {
        return None;
    };
    Some(pairs.iter().map(|[high, low]| high << 4 | low).collect())
}

#[cfg(test)]
mod tests {
    use altcha::{SolveChallengeOptions, solve_challenge};
    use time::macros::datetime;

    use super::*;

    const NOW: OffsetDateTime = datetime!(2026-11-20 09:00 UTC);

    fn captcha(byte: u8) -> Captcha {
        let secret = STANDARD.encode([byte; 32]);
        let key = Key::parse("CAPTCHA_SECRET", &secret.into()).unwrap();
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
        assert!(captcha.judge(&payload, last).is_some());
        assert_eq!(captcha.judge(&payload, NOW + Duration::from_mins(5)), None);
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
    fn what_was_changed_made_up_or_not_solved_is_wrong() {
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
            assert_eq!(captcha.judge(&encode(&bad), NOW), None, "{bad:?}");
        }
        for text in ["", "e30=", "not base64", &"A".repeat(10_000)] {
            assert_eq!(captcha.judge(text, NOW), None, "{text}");
        }
        assert!(captcha.judge(&encode(&right), NOW).is_some());
    }
}
