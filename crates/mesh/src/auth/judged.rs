//! Tokens that were judged good before.
//!
//! A player's calls come in bursts with one token, and an Ed25519 signature takes
//! fifty microseconds to verify: more than all else that a read costs its service.
//! What is kept is what the signature proved; time, keys and ended sessions are
//! looked at anew at every call.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use sha2::{Digest as _, Sha256};

use super::Player;

/// Tokens in one generation. There are two, so at most twice as many are kept,
/// and what is in use outlives the change of generations.
const GENERATION: usize = 8_192;

/// What a good token proved.
#[derive(Debug, Clone)]
pub(super) struct Judged {
    pub(super) player: Player,
    pub(super) key_id: String,
}

/// A token by its hash: a memory dump has no tokens in it.
pub(super) type Fingerprint = [u8; 32];

/// The tokens of the recent past.
#[derive(Default)]
pub(super) struct Memory(Mutex<Generations>);

#[derive(Default)]
struct Generations {
    young: HashMap<Fingerprint, Judged>,
    old: HashMap<Fingerprint, Judged>,
}

pub(super) fn fingerprint(token: &str) -> Fingerprint {
    Sha256::digest(token).into()
}

impl Memory {
    pub(super) fn recall(&self, token: &Fingerprint) -> Option<Judged> {
        let mut generations = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(judged) = generations.young.get(token) {
            return Some(judged.clone());
        }
        let judged = generations.old.remove(token)?;
        generations.keep(*token, judged.clone());
        Some(judged)
    }

    pub(super) fn keep(&self, token: Fingerprint, judged: Judged) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).keep(token, judged);
    }
}

impl Generations {
    fn keep(&mut self, token: Fingerprint, judged: Judged) {
        if self.young.len() >= GENERATION {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(token, judged);
    }
}

#[cfg(test)]
mod tests {
    use types::{Chance, Clock, PlayerId, SessionId};

    use super::*;

    fn judged() -> Judged {
        let (clock, chance) = (Clock::system(), Chance::system());
        let id = PlayerId::mint(&clock, &chance);
        let session = SessionId::mint(&clock, &chance);
        Judged { player: Player { id, session, expires_at: 0 }, key_id: "k".to_owned() }
    }

    #[test]
    fn it_never_holds_more_than_two_generations_and_keeps_what_is_used() {
        let memory = Memory::default();
        let used = fingerprint("used");
        memory.keep(used, judged());
        for n in 0..3 * GENERATION {
            memory.keep(fingerprint(&n.to_string()), judged());
            if n % 100 == 0 {
                assert!(memory.recall(&used).is_some());
            }
        }
        let generations = memory.0.lock().unwrap();
        assert!(generations.young.len() + generations.old.len() <= 2 * GENERATION);
    }
}
