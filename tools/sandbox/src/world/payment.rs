//! One request to pay, from the prompt to the last callback.

use serde::{Deserialize, Serialize};
use time::{Duration, OffsetDateTime};

use super::handset::{Msisdn, Script, Stk};
use crate::clock;

/// How long a person may look at a prompt before M-Pesa gives up.
pub(crate) const PATIENCE: Duration = Duration::seconds(60);

/// Attempts to deliver callbacks that are remembered for a payment.
const DELIVERIES: usize = 20;

/// To whom the money goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum TransactionType {
    /// A paybill number with an account.
    #[serde(rename = "CustomerPayBillOnline")]
    PayBill,
    /// A till.
    #[serde(rename = "CustomerBuyGoodsOnline")]
    BuyGoods,
}

/// How a payment ended, as M-Pesa counts the ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Outcome {
    Paid,
    Insufficient,
    AboveMaximum,
    AboveDailyLimit,
    Repeated,
    Expired,
    Cancelled,
    NoAnswer,
    Unreachable,
    WrongPin,
}

impl Outcome {
    /// M-Pesa's `ResultCode`.
    pub(crate) fn code(self) -> u32 {
        match self {
            Self::Paid => 0,
            Self::Insufficient => 1,
            Self::AboveMaximum => 3,
            Self::AboveDailyLimit => 4,
            Self::Repeated => 17,
            Self::Expired => 1019,
            Self::Cancelled => 1032,
            Self::NoAnswer | Self::Unreachable => 1037,
            Self::WrongPin => 2001,
        }
    }

    /// `ResultDesc` in a callback.
    pub(crate) fn callback_text(self) -> &'static str {
        match self {
            Self::NoAnswer => "No response from user.",
            other => other.query_text(),
        }
    }

    /// `ResultDesc` in the query's reply. The two channels have been seen to
    /// word the same code differently, so nobody may read the words.
    pub(crate) fn query_text(self) -> &'static str {
        match self {
            Self::Paid => "The service request is processed successfully.",
            Self::Insufficient => "The balance is insufficient for the transaction.",
            Self::AboveMaximum => {
                "Declined due to limit rule: greater than the maximum transaction amount."
            }
            Self::AboveDailyLimit => {
                "Declined due to limit rule: would exceed the daily transfer limit."
            }
            Self::Repeated => "Rule limited: the same amount to the same party within two minutes.",
            Self::Expired => "Transaction has expired.",
            Self::Cancelled => "Request cancelled by user.",
            Self::NoAnswer | Self::Unreachable => "DS timeout user cannot be reached.",
            Self::WrongPin => "The initiator information is invalid.",
        }
    }
}

/// The end of a payment.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Settled {
    pub(crate) outcome: Outcome,
    /// Whole shillings that moved; 0 unless paid.
    pub(crate) amount: u64,
    /// Only where money moved.
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

/// One accepted request to pay.
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
    /// When the script acts, or patience ends.
    #[serde(with = "time::serde::rfc3339")]
    pub(crate) due_at: OffsetDateTime,
    /// The handset's habits at the moment of the request.
    pub(crate) script: Script,
    /// M-Pesa's own no: the handset never rings.
    pub(crate) refusal: Option<Outcome>,
    pub(crate) settled: Option<Settled>,
    /// Copies of the callback that are still to be posted.
    pub(crate) callbacks_left: u32,
    pub(crate) deliveries: Vec<Delivery>,
}

impl Payment {
    /// Whether the outcome is still to come.
    pub(crate) fn is_open(&self) -> bool {
        self.settled.is_none()
    }

    /// Whether the handset shows a prompt for it.
    pub(crate) fn is_on_screen(&self) -> bool {
        self.is_open() && self.refusal.is_none() && self.script.stk != Stk::Unreachable
    }

    /// Whether it keeps the handset from a second prompt.
    pub(crate) fn holds_line(&self) -> bool {
        self.is_open() && self.refusal.is_none()
    }

    /// What happens at `due_at` if no person answers first.
    pub(crate) fn scripted_outcome(&self) -> Outcome {
        self.refusal.unwrap_or(match self.script.stk {
            Stk::Approve | Stk::Silent | Stk::WrongAmount => Outcome::Paid,
            Stk::Cancel => Outcome::Cancelled,
            Stk::WrongPin => Outcome::WrongPin,
            Stk::Insufficient => Outcome::Insufficient,
            Stk::Timeout | Stk::Manual => Outcome::NoAnswer,
            // One without M-Pesa gets no request in the first place.
            Stk::Unreachable | Stk::NoMpesa => Outcome::Unreachable,
            Stk::Expired => Outcome::Expired,
        })
    }

    /// Ends the payment and plans its callbacks.
    pub(crate) fn settle(&mut self, outcome: Outcome, at: OffsetDateTime) -> &Settled {
        let paid = outcome == Outcome::Paid;
        let surplus = u64::from(self.script.stk == Stk::WrongAmount);
        self.callbacks_left = match self.script.stk {
            Stk::Silent => 0,
            _ => self.script.callbacks,
        };
        self.settled.insert(Settled {
            outcome,
            amount: if paid { self.amount.saturating_add(surplus) } else { 0 },
            receipt: paid.then(|| receipt(at)),
            at,
        })
    }

    /// When its callbacks are to be posted, if any are left.
    pub(crate) fn callback_due(&self) -> Option<OffsetDateTime> {
        let settled = self.settled.as_ref().filter(|_| self.callbacks_left > 0)?;
        let wait = self.script.callback_delay_ms.min(Script::MAX_CALLBACK_DELAY_MS);
        Some(settled.at + std::time::Duration::from_millis(wait))
    }

    /// Notes that the callbacks went out.
    pub(crate) fn delivered(&mut self, deliveries: Vec<Delivery>) {
        self.callbacks_left = 0;
        self.deliveries.extend(deliveries);
        self.deliveries.truncate(DELIVERIES);
    }
}

/// A receipt number as M-Pesa makes them: letters for year and month, a letter
/// or digit for the day, then seven of chance. `SIK…` is 20 September 2024.
fn receipt(at: OffsetDateTime) -> String {
    const ALPHABET: &[u8; 36] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    let symbol = |index: usize| char::from(ALPHABET[index % ALPHABET.len()]);
    let day = clock::day_in_kenya(at);
    let year = usize::try_from(day.year() - 2006).unwrap_or_default() % 26;
    let mut receipt = String::with_capacity(10);
    receipt.push(symbol(10 + year));
    receipt.push(symbol(9 + usize::from(u8::from(day.month()))));
    receipt.push(symbol(usize::from(day.day())));
    receipt.extend((0..7).map(|_| symbol(rand::random_range(0..ALPHABET.len()))));
    receipt
}

#[cfg(test)]
mod tests {
    use super::*;
    use time::macros::datetime;

    #[test]
    fn a_receipt_names_its_day_as_the_real_ones_do() {
        assert_eq!(&receipt(datetime!(2024-09-20 10:00 UTC))[..3], "SIK");
        assert_eq!(&receipt(datetime!(2019-12-19 10:00 UTC))[..3], "NLJ");
        assert_eq!(&receipt(datetime!(2026-11-05 10:00 UTC))[..3], "UK5");
        assert_eq!(receipt(datetime!(2026-11-05 10:00 UTC)).len(), 10);
    }
}
