//! Handsets: their script, their spending and their inbox.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use time::{Date, OffsetDateTime};

use super::b2c::B2c;
use super::msisdn::Msisdn;
use super::sms::Sms;

/// Most messages in a handset's inbox; beyond it the oldest are removed.
const MAX_INBOX: usize = 20;

/// How a handset answers a prompt to pay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Stk {
    #[default]
    Approve,
    Cancel,
    /// Enters a wrong PIN: result 2001.
    WrongPin,
    /// Has an insufficient balance: result 1.
    Insufficient,
    /// Shows the prompt and never answers: result 1037.
    Timeout,
    /// Has no M-Pesa: the request is refused, 400.002.02.
    NoMpesa,
    /// Is switched off: result 1037 without a prompt.
    Unreachable,
    /// Answers after the transaction has expired: result 1019.
    Expired,
    /// Is refused: the amount is below the minimum, result 2.
    BelowMinimum,
    /// Is refused: the receiver's balance would exceed its maximum, result 8.
    ReceiverFull,
    /// M-Pesa is busy: result 26.
    Busy,
    /// Another session locks the subscriber: result 1001.
    SubscriberLocked,
    /// The prompt cannot be sent: result 1025.
    PushFailed,
    /// The transaction type or the party is not permitted: result 2028.
    NotPermitted,
    /// The security credential is locked: result 8006.
    CredentialLocked,
    /// Pays, and every callback is lost; only the query shows the outcome.
    Silent,
    /// Pays one shilling more than was asked.
    WrongAmount,
    /// Waits for a person or a test to enter the PIN.
    Manual,
}

impl Stk {
    /// Whether the handset shows no prompt.
    pub(crate) fn hides_prompt(self) -> bool {
        matches!(
            self,
            Self::Unreachable
                | Self::BelowMinimum
                | Self::Busy
                | Self::SubscriberLocked
                | Self::PushFailed
                | Self::NotPermitted
                | Self::CredentialLocked
        )
    }
}

/// The outcome of an airtime charge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Airtime {
    #[default]
    Charged,
    Insufficient,
    NotSubscribed,
    /// The subscriber is barred.
    Rejected,
    /// Accepted; a notification reports the charge.
    Later,
    /// Accepted; a notification reports that there is too little airtime.
    LaterInsufficient,
    /// Accepted and charged; no notification.
    Silent,
    /// An error without a meaning, and charged; a notification reports it.
    Error,
    /// Refuses the consent.
    NoConsent,
}

impl Airtime {
    /// Whether a notification is posted.
    pub(crate) fn notifies(self) -> bool {
        self != Self::Silent
    }
}

/// The provider's status of a text to a handset; its codes are in `sms/messaging.rs`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SmsOutcome {
    #[default]
    Delivered,
    /// Delivered, with the status of a queued text.
    Queued,
    /// Accepted, and not delivered.
    Lost,
    RiskHold,
    InvalidSender,
    InvalidNumber,
    Unsupported,
    NoBalance,
    Blacklisted,
    NoRoute,
    DoNotDisturb,
    Failed,
    GatewayError,
    Rejected,
    /// The reply lists no recipient at all.
    Empty,
}

/// How a handset and its network behave.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub(crate) struct Script {
    pub(crate) stk: Stk,
    pub(crate) b2c: B2c,
    pub(crate) airtime: Airtime,
    pub(crate) sms: SmsOutcome,
    /// Milliseconds from the prompt to its outcome.
    pub(crate) delay_ms: u64,
    /// Milliseconds from the outcome to its callback.
    pub(crate) callback_delay_ms: u64,
    /// Copies of the callback, posted at the same moment.
    pub(crate) callbacks: u32,
    /// Whether the callback arrives before the reply to the request.
    pub(crate) disorder: bool,
}

impl Default for Script {
    fn default() -> Self {
        Self {
            stk: Stk::default(),
            b2c: B2c::default(),
            airtime: Airtime::default(),
            sms: SmsOutcome::default(),
            delay_ms: 2_000,
            callback_delay_ms: 0,
            callbacks: 1,
            disorder: false,
        }
    }
}

impl Script {
    /// Longest wait for an outcome.
    pub(crate) const MAX_DELAY_MS: u64 = 600_000;
    /// Longest wait for a callback.
    pub(crate) const MAX_CALLBACK_DELAY_MS: u64 = 3_600_000;
    /// Most copies of a callback.
    const MAX_CALLBACKS: u64 = 20;

    /// Validates the script. The error names the limit that is exceeded.
    pub(crate) fn validate(&self) -> Result<(), String> {
        for (name, value, max) in [
            ("delayMs", self.delay_ms, Self::MAX_DELAY_MS),
            ("callbackDelayMs", self.callback_delay_ms, Self::MAX_CALLBACK_DELAY_MS),
            ("callbacks", self.callbacks.into(), Self::MAX_CALLBACKS),
        ] {
            if value > max {
                return Err(format!("{name} is at most {max}"));
            }
        }
        Ok(())
    }
}

/// Whole shillings paid or received in one Kenyan day.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Spent {
    day: Date,
    amount: u64,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Handset {
    pub(crate) msisdn: Msisdn,
    pub(crate) script: Script,
    /// When the handset was last prompted or set.
    #[serde(with = "time::serde::rfc3339")]
    pub(crate) used_at: OffsetDateTime,
    spent: Option<Spent>,
    #[serde(default)]
    received: Option<Spent>,
    /// The received messages, newest first.
    pub(crate) inbox: VecDeque<Sms>,
}

impl Handset {
    pub(crate) fn new(msisdn: Msisdn, script: Script, at: OffsetDateTime) -> Self {
        Self { msisdn, script, used_at: at, spent: None, received: None, inbox: VecDeque::new() }
    }

    /// Whole shillings paid on this day.
    pub(crate) fn spent_on(&self, day: Date) -> u64 {
        self.spent.as_ref().filter(|spent| spent.day == day).map_or(0, |spent| spent.amount)
    }

    /// Whole shillings received by payouts on this day.
    pub(crate) fn received_on(&self, day: Date) -> u64 {
        self.received.as_ref().filter(|sum| sum.day == day).map_or(0, |sum| sum.amount)
    }

    /// Counts a payout towards the day's limit.
    pub(crate) fn paid_out(&mut self, day: Date, amount: u64) {
        let amount = self.received_on(day).saturating_add(amount);
        self.received = Some(Spent { day, amount });
    }

    /// Counts a payment towards the day's limit.
    pub(crate) fn spend(&mut self, day: Date, amount: u64) {
        let amount = self.spent_on(day).saturating_add(amount);
        self.spent = Some(Spent { day, amount });
    }

    pub(crate) fn receive(&mut self, sms: Sms) {
        self.inbox.push_front(sms);
        self.inbox.truncate(MAX_INBOX);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_spending_by_the_day() {
        let (monday, tuesday) =
            (time::macros::date!(2026 - 11 - 16), time::macros::date!(2026 - 11 - 17));
        let number = Msisdn::strict("254712345678").unwrap();
        let mut handset = Handset::new(number, Script::default(), OffsetDateTime::UNIX_EPOCH);
        handset.spend(monday, 300);
        handset.spend(monday, 200);
        assert_eq!((handset.spent_on(monday), handset.spent_on(tuesday)), (500, 0));
        handset.spend(tuesday, 50);
        assert_eq!((handset.spent_on(monday), handset.spent_on(tuesday)), (0, 50));
    }
}
