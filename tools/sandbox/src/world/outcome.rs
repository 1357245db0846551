//! Outcomes that are ordered for the next payments, whatever their handset's script says.

use serde::{Deserialize, Serialize};

use super::b2c::B2c;
use super::handset::{Airtime, Script, Stk};
use super::msisdn::Msisdn;

/// A kind of payment to or from a handset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flow {
    Stk,
    B2c,
    Airtime,
}

/// An order for the next `count` payments that match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct OutcomeOrder {
    #[serde(skip_serializing_if = "Option::is_none")]
    stk: Option<Stk>,
    #[serde(skip_serializing_if = "Option::is_none")]
    b2c: Option<B2c>,
    #[serde(skip_serializing_if = "Option::is_none")]
    airtime: Option<Airtime>,
    /// The order is only for numbers that end in these digits.
    #[serde(default)]
    suffix: String,
    /// The order is only for this amount, in whole shillings.
    amount: Option<u64>,
    #[serde(default = "one")]
    pub(crate) count: u32,
}

fn one() -> u32 {
    1
}

impl OutcomeOrder {
    /// Most orders that wait at a time.
    pub(crate) const MAX_WAITING: usize = 32;

    /// Validates the order. The error is a sentence for the author of the test.
    pub(crate) fn validate(&self) -> Result<(), &'static str> {
        let flows = [self.stk.is_some(), self.b2c.is_some(), self.airtime.is_some()];
        if flows.into_iter().filter(|given| *given).count() != 1 {
            return Err("an order has one of stk, b2c and airtime");
        }
        if self.stk == Some(Stk::NoMpesa) {
            return Err("no_mpesa is a property of a handset; PUT its script");
        }
        if self.count == 0 {
            return Err("count is at least 1");
        }
        Ok(())
    }

    pub(crate) fn matches(&self, flow: Flow, msisdn: &Msisdn, amount: u64) -> bool {
        let ordered = match flow {
            Flow::Stk => self.stk.is_some(),
            Flow::B2c => self.b2c.is_some(),
            Flow::Airtime => self.airtime.is_some(),
        };
        ordered
            && msisdn.to_string().ends_with(&self.suffix)
            && self.amount.is_none_or(|only| only == amount)
    }

    /// The script with the ordered outcome.
    pub(crate) fn applied(&self, script: &Script) -> Script {
        Script {
            stk: self.stk.unwrap_or(script.stk),
            b2c: self.b2c.unwrap_or(script.b2c),
            airtime: self.airtime.unwrap_or(script.airtime),
            ..script.clone()
        }
    }
}
