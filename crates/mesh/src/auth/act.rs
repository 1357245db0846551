//! Acts of operators: the entries of the audit that svc-auth keeps, chained by hashes.

use anyhow::{Context as _, ensure};
use proto::{auth::v1::Act as WireAct, from_timestamp};
use serde_json::json;
use sha2::{Digest as _, Sha256};
use time::OffsetDateTime;

/// The hash of an act and all before it.
pub type ActHash = [u8; 32];

/// A call of an operator, as the audit keeps it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Act {
    /// Counts from 1 without a gap.
    pub number: i64,
    /// When the call was decided on, in whole microseconds.
    pub at: OffsetDateTime,
    /// The operator whom the certificate names.
    pub operator: String,
    /// The serial number of the certificate.
    pub serial: String,
    /// The path of the RPC.
    pub rpc: String,
    /// `ADMITTED`, or the REASON of the refusal.
    pub outcome: String,
    /// The trace of the call; empty without one.
    pub trace_id: String,
}

impl Act {
    /// The hash after this act: SHA-256 of the hash before it (zeros before the first) and of the
    /// act as a JSON array of its fields, the time in microseconds since the epoch.
    pub fn hash(&self, previous: &ActHash) -> ActHash {
        let micros = self.at.unix_timestamp_nanos() / 1_000;
        let micros = i64::try_from(micros).unwrap_or(i64::MAX);
        let fields = json!([
            self.number,
            micros,
            self.operator,
            self.serial,
            self.rpc,
            self.outcome,
            self.trace_id
        ]);
        Sha256::new().chain_update(previous).chain_update(fields.to_string()).finalize().into()
    }
}

/// Checks acts in the order of their numbers.
#[derive(Debug, Default)]
pub struct ActChain {
    number: i64,
    hash: ActHash,
}

impl ActChain {
    /// The number of the last act that was checked.
    pub fn number(&self) -> i64 {
        self.number
    }

    /// The hash after the last act that was checked.
    pub fn hash(&self) -> &ActHash {
        &self.hash
    }

    /// Checks the next act, and returns it.
    ///
    /// # Errors
    ///
    /// An act that was changed, left out or put in: its number or its hash does not follow.
    pub fn check(&mut self, wire: WireAct) -> anyhow::Result<Act> {
        let act = Act {
            number: wire.number,
            at: from_timestamp(wire.at, "at").ok().context("an act without a time")?,
            operator: wire.operator,
            serial: wire.serial,
            rpc: wire.rpc,
            outcome: wire.outcome,
            trace_id: wire.trace_id,
        };
        ensure!(act.number == self.number + 1, "act {} follows act {}", act.number, self.number);
        let hash = act.hash(&self.hash);
        ensure!(wire.hash == hash, "act {} was changed, or an act before it", act.number);
        (self.number, self.hash) = (act.number, hash);
        Ok(act)
    }
}

#[cfg(test)]
mod tests {
    use proto::timestamp;

    use super::*;

    /// Acts with these outcomes, chained.
    fn acts(outcomes: [&str; 3]) -> Vec<WireAct> {
        let mut previous = ActHash::default();
        let numbered = (1..).zip(outcomes);
        let acts = numbered.map(|(number, outcome)| {
            let act = Act {
                number,
                at: OffsetDateTime::UNIX_EPOCH,
                operator: "wanjiru".to_owned(),
                serial: "a3f".to_owned(),
                rpc: "/playon.auth.v1.OperatorAdminService/SetRoles".to_owned(),
                outcome: outcome.to_owned(),
                trace_id: String::new(),
            };
            previous = act.hash(&previous);
            let Act { number, at, operator, serial, rpc, outcome, trace_id } = act;
            let (at, hash) = (Some(timestamp(at)), previous.to_vec());
            WireAct { number, at, operator, serial, rpc, outcome, trace_id, hash }
        });
        acts.collect()
    }

    fn check(acts: Vec<WireAct>) -> anyhow::Result<ActChain> {
        let mut chain = ActChain::default();
        for act in acts {
            chain.check(act)?;
        }
        Ok(chain)
    }

    #[test]
    fn a_chain_shows_what_was_changed_left_out_or_put_in() {
        let whole = acts(["ADMITTED", "ROLE_MISSING", "ADMITTED"]);
        assert_eq!(check(whole.clone()).unwrap().number(), 3);
        let mut changed = whole.clone();
        changed[1].outcome = "ADMITTED".to_owned();
        let error = check(changed).unwrap_err().to_string();
        assert_eq!(error, "act 2 was changed, or an act before it");
        let mut shorter = whole.clone();
        shorter.remove(1);
        assert_eq!(check(shorter).unwrap_err().to_string(), "act 3 follows act 1");
        // Acts that were hashed again end in another hash.
        let other = check(acts(["ADMITTED", "ADMITTED", "ADMITTED"])).unwrap();
        assert_ne!(other.hash(), check(whole).unwrap().hash());
    }
}
