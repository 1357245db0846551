//! The outcomes of payouts.

use serde::{Deserialize, Serialize};

/// The outcome of a payout to a handset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum B2c {
    #[default]
    Complete,
    /// The business's utility account is too low.
    NoFloat,
    BelowMinimum,
    AboveMaximum,
    /// Above the recipient's daily limit.
    DailyLimit,
    /// Above the recipient's maximum balance.
    Full,
    DebitState,
    Duplicate,
    Internal,
    CredentialCheck,
    UnresolvedInitiator,
    NoRole,
    MissingField,
    BadParameter,
    Busy,
    BadInitiator,
    Inactive,
    NotPermitted,
    #[serde(alias = "fail")]
    NotRegistered,
    CredentialLocked,
    NoOperator,
    /// Daraja calls `QueueTimeOutURL`; the money arrives.
    Timeout,
    /// Daraja calls `QueueTimeOutURL`; nothing is paid.
    TimeoutUnpaid,
    /// The money arrives, and no result is ever posted.
    Silent,
    /// Nothing is paid, and no result is ever posted.
    Lost,
}

impl B2c {
    /// `ResultCode` and `ResultDesc`.
    pub(crate) fn result(self) -> (&'static str, &'static str) {
        match self {
            Self::Complete | Self::Timeout | Self::Silent => {
                ("0", "The service request is processed successfully.")
            }
            Self::NoFloat => ("1", "The balance is insufficient for the transaction."),
            Self::BelowMinimum => {
                ("2", "Declined due to limit rule: less than the minimum transaction amount.")
            }
            Self::AboveMaximum => {
                ("3", "Declined due to limit rule: greater than the maximum transaction amount.")
            }
            Self::DailyLimit => {
                ("4", "Declined due to limit rule: would exceed the daily transfer limit.")
            }
            Self::Full => ("8", "Declined due to limit rule: would exceed the maximum balance."),
            Self::DebitState => ("11", "The DebitParty is in an invalid state."),
            Self::Duplicate => ("15", "Duplicate detected."),
            Self::Internal | Self::TimeoutUnpaid | Self::Lost => ("17", "Internal failure."),
            Self::CredentialCheck => ("18", "Initiator credential check failure."),
            Self::UnresolvedInitiator => ("20", "Unresolved initiator."),
            Self::NoRole => ("21", "The initiator is not allowed to initiate this request."),
            Self::MissingField => ("24", "Missing mandatory fields."),
            Self::BadParameter => ("25", "Cannot process request parameters."),
            Self::Busy => ("26", "System busy."),
            Self::BadInitiator => ("2001", "The initiator information is invalid."),
            Self::Inactive => ("2006", "Declined due to account rule: the account is inactive."),
            Self::NotPermitted => {
                ("2028", "The request is not permitted according to product assignment.")
            }
            Self::NotRegistered => (
                "2040",
                "Credit Party customer type (Unregistered or Registered Customer) can't be supported by the service.",
            ),
            Self::CredentialLocked => ("8006", "The security credential is locked."),
            Self::NoOperator => ("SFC_IC0003", "The operator does not exist."),
        }
    }

    pub(crate) fn pays(self) -> bool {
        matches!(self, Self::Complete | Self::Timeout | Self::Silent)
    }

    /// Whether `QueueTimeOutURL` is called instead of `ResultURL`.
    pub(crate) fn times_out(self) -> bool {
        matches!(self, Self::Timeout | Self::TimeoutUnpaid)
    }

    /// Whether a result is posted at all.
    pub(crate) fn reports(self) -> bool {
        !matches!(self, Self::Silent | Self::Lost)
    }
}
