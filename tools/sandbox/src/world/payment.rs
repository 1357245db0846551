//! One request to pay, from the prompt to its last callback.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use super::handset::{Script, Stk};
use super::msisdn::Msisdn;
use crate::clock;

/// Delivery attempts that are kept for a payment.
const MAX_DELIVERIES: usize = 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum TransactionType {
    /// A payment to a paybill number with an account.
    #[serde(rename = "CustomerPayBillOnline")]
    PayBill,
    /// A payment to a till.
    #[serde(rename = "CustomerBuyGoodsOnline")]
    BuyGoods,
}

/// How a payment ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Outcome {
    Paid,
    Insufficient,
    BelowMinimum,
    AboveMaximum,
    AboveDailyLimit,
    ReceiverFull,
    Repeated,
    Busy,
    SubscriberLocked,
    Expired,
    PushFailed,
    Cancelled,
    NoAnswer,
    Unreachable,
    WrongPin,
    NotPermitted,
    CredentialLocked,
}

impl Outcome {
    /// M-Pesa's `ResultCode` and the query's `ResultDesc`.
    pub(crate) fn result(self) -> (u32, &'static str) {
        match self {
            Self::Paid => (0, "The service request is processed successfully."),
            Self::Insufficient => (1, "The balance is insufficient for the transaction."),
            Self::BelowMinimum => {
                (2, "Declined due to limit rule: less than the minimum transaction amount.")
            }
            Self::AboveMaximum => {
                (3, "Declined due to limit rule: greater than the maximum transaction amount.")
            }
            Self::AboveDailyLimit => {
                (4, "Declined due to limit rule: would exceed the daily transfer limit.")
            }
            Self::ReceiverFull => {
                (8, "Declined due to limit rule: would exceed the maximum balance.")
            }
            Self::Repeated => {
                (17, "Rule limited: the same amount to the same party within two minutes.")
            }
            Self::Busy => (26, "System busy. The service request is rejected."),
            Self::SubscriberLocked => {
                (1001, "Unable to lock subscriber, a transaction is already in process.")
            }
            Self::Expired => (1019, "Transaction has expired."),
            Self::PushFailed => (1025, "An error occurred while sending a push request."),
            Self::Cancelled => (1032, "Request cancelled by user."),
            Self::NoAnswer | Self::Unreachable => (1037, "DS timeout user cannot be reached."),
            Self::WrongPin => (2001, "The initiator information is invalid."),
            Self::NotPermitted => {
                (2028, "The request is not permitted according to product assignment.")
            }
            Self::CredentialLocked => (8006, "The security credential is locked."),
        }
    }

    /// `ResultDesc` in a callback. The real callback and query have been seen to
    /// word the same code differently, so clients must not parse the text.
    pub(crate) fn callback_text(self) -> &'static str {
        match self {
            Self::NoAnswer => "No response from user.",
            other => other.result().1,
        }
    }
}

/// The end of a payment.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Settled {
    pub(crate) outcome: Outcome,
    /// Whole shillings that were paid; 0 if nothing was paid.
    pub(crate) amount: u64,
    /// M-Pesa's receipt; none if nothing was paid.
    pub(crate) receipt: Option<String>,
    #[serde(with = "time::serde::rfc3339")]
    pub(crate) at: OffsetDateTime,
}

/// One attempt to post a callback.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Delivery {
    #[serde(with = "time::serde::rfc3339")]
    pub(crate) at: OffsetDateTime,
    /// The receiver's HTTP status; none when it could not be reached.
    pub(crate) status: Option<u16>,
}

/// An accepted request to pay.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Payment {
    pub(crate) checkout_request_id: String,
    pub(crate) merchant_request_id: String,
    pub(crate) msisdn: Msisdn,
    /// Whole shillings asked for.
    pub(crate) amount: u64,
    pub(crate) transaction_type: TransactionType,
    pub(crate) party_b: String,
    pub(crate) account_reference: String,
    pub(crate) callback_url: String,
    #[serde(with = "time::serde::rfc3339")]
    pub(crate) requested_at: OffsetDateTime,
    /// When the script answers, or the prompt times out.
    #[serde(with = "time::serde::rfc3339")]
    pub(crate) due_at: OffsetDateTime,
    /// The handset's script at the time of the request.
    pub(crate) script: Script,
    /// A refusal by M-Pesa's limits: the handset gets no prompt.
    pub(crate) refusal: Option<Outcome>,
    pub(crate) settled: Option<Settled>,
    /// Copies of the callback that are still to be posted.
    pub(crate) callbacks_left: u32,
    pub(crate) deliveries: Vec<Delivery>,
}

impl Payment {
    pub(crate) fn is_open(&self) -> bool {
        self.settled.is_none()
    }

    /// Whether the payment is settled and its callbacks are posted.
    pub(crate) fn is_concluded(&self) -> bool {
        !self.is_open() && self.callbacks_left == 0
    }

    /// Whether the handset shows the payment's prompt.
    pub(crate) fn shows_prompt(&self) -> bool {
        self.locks_subscriber() && !self.script.stk.hides_prompt()
    }

    /// Whether M-Pesa refuses a second prompt on the handset.
    pub(crate) fn locks_subscriber(&self) -> bool {
        self.is_open() && self.refusal.is_none()
    }

    /// The outcome at `due_at` if no person answers first.
    pub(crate) fn scripted_outcome(&self) -> Outcome {
        self.refusal.unwrap_or(match self.script.stk {
            Stk::Approve | Stk::Silent | Stk::WrongAmount => Outcome::Paid,
            Stk::Cancel => Outcome::Cancelled,
            Stk::WrongPin => Outcome::WrongPin,
            Stk::Insufficient => Outcome::Insufficient,
            Stk::Timeout | Stk::Manual => Outcome::NoAnswer,
            // A request to a number without M-Pesa is refused before this.
            Stk::Unreachable | Stk::NoMpesa => Outcome::Unreachable,
            Stk::Expired => Outcome::Expired,
            Stk::BelowMinimum => Outcome::BelowMinimum,
            Stk::ReceiverFull => Outcome::ReceiverFull,
            Stk::Busy => Outcome::Busy,
            Stk::SubscriberLocked => Outcome::SubscriberLocked,
            Stk::PushFailed => Outcome::PushFailed,
            Stk::NotPermitted => Outcome::NotPermitted,
            Stk::CredentialLocked => Outcome::CredentialLocked,
        })
    }

    /// Ends the payment and sets the number of its callbacks.
    pub(crate) fn settle(&mut self, outcome: Outcome, at: OffsetDateTime) {
        let paid = outcome == Outcome::Paid;
        let surplus = u64::from(self.script.stk == Stk::WrongAmount);
        self.callbacks_left = match self.script.stk {
            Stk::Silent => 0,
            _ => self.script.callbacks,
        };
        self.settled = Some(Settled {
            outcome,
            amount: if paid { self.amount.saturating_add(surplus) } else { 0 },
            receipt: paid.then(|| receipt(at)),
            at,
        });
    }

    /// When the payment's callbacks are to be posted, if any are left.
    pub(crate) fn callback_due(&self) -> Option<OffsetDateTime> {
        let settled = self.settled.as_ref().filter(|_| self.callbacks_left > 0)?;
        Some(settled.at + Duration::from_millis(self.script.callback_delay_ms))
    }

    /// Records that all callbacks were posted.
    pub(crate) fn add_deliveries(&mut self, deliveries: Vec<Delivery>) {
        self.callbacks_left = 0;
        self.deliveries.extend(deliveries);
        self.deliveries.truncate(MAX_DELIVERIES);
    }
}

/// A receipt number in M-Pesa's format: letters for year and month, a letter or
/// digit for the day, then seven random ones. `SIK…` is 20 September 2024.
pub(crate) fn receipt(at: OffsetDateTime) -> String {
    const ALPHABET: &[u8; 36] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    let symbol = |index: usize| char::from(ALPHABET[index % ALPHABET.len()]);
    let day = clock::day_in_kenya(at);
    let year = usize::try_from(day.year() - 2006).unwrap_or_default() % 26;
    let date = [10 + year, 9 + usize::from(u8::from(day.month())), usize::from(day.day())];
    let random = (0..7).map(|_| rand::random_range(0..ALPHABET.len()));
    date.into_iter().chain(random).map(symbol).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use time::macros::datetime;

    #[test]
    fn a_receipt_encodes_its_date_as_m_pesa_does() {
        assert_eq!(&receipt(datetime!(2024-09-20 10:00 UTC))[..3], "SIK");
        assert_eq!(&receipt(datetime!(2019-12-19 10:00 UTC))[..3], "NLJ");
        assert_eq!(&receipt(datetime!(2026-11-05 10:00 UTC))[..3], "UK5");
        assert_eq!(receipt(datetime!(2026-11-05 10:00 UTC)).len(), 10);
    }
}
