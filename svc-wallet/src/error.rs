//! The refusals of the wallet, with the gRPC code and REASON of each.

use std::time::Duration;

use mesh::{Fault, call::Call};
use thiserror::Error;
use time::OffsetDateTime;
use tonic::Code;
use types::{InvalidContent, LocalText, time_and_date};

use crate::domain::{
    AboveSpendingLimit, InvalidAward, InvalidOperation, InvalidReservation, LEAST_LIMIT,
    MOST_LIMIT, OutOfLimits, PaymentId, Period, PromotionsSpent,
};

/// The error of a use case.
pub(crate) type Error = mesh::Error<Refused>;

/// The rules that refuse a call.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum Refused {
    #[error("there is no payment method with that id")]
    UnknownMethod,
    /// Specification, section 5.
    #[error("the payment method is not offered for this kind of payment")]
    MethodNotAllowed,
    #[error("the payment method {} is not available yet", name.en)]
    MethodComingSoon {
        /// The name that players read.
        name: LocalText,
    },
    #[error("there is no package with that id")]
    UnknownPackage,
    /// Specification, section 5.
    #[error("airtime pays for the bronze package only")]
    AirtimeBronzeOnly,
    #[error("the amount is out of limits: {0}")]
    Limits(#[from] OutOfLimits),
    #[error("the payment is {0}")]
    SpendingLimit(#[from] AboveSpendingLimit),
    #[error("the amount is no limit that a player may set")]
    SpendingLimitRange,
    #[error("the phone number is not a Kenyan mobile number")]
    InvalidPhone,
    #[error("the player has not proven the phone")]
    PayoutPhoneNotProven,
    #[error("the player proved the phone a short time ago")]
    PayoutPhoneRests {
        /// Withdrawals may go to the phone from this time on.
        opens_at: OffsetDateTime,
    },
    #[error("payouts are paused")]
    WithdrawalsPaused,
    #[error("the profile has no phone number")]
    PhoneNeeded,
    #[error("the phone got too many prompts that it did not pay")]
    PhoneRateLimited {
        /// Time until the phone's next prompt may be sent.
        wait: Duration,
    },
    #[error("there is no player with the beneficiary's id")]
    UnknownPlayer,
    #[error("the wallet has less than the amount")]
    InsufficientFunds,
    #[error("the caller has no payment with that id")]
    UnknownPayment,
    #[error("the caller has no transaction with that id")]
    UnknownTransaction,
    #[error("the days have more transactions than a statement")]
    StatementTooLong,
    #[error("{} of the payments are not the caller's", .payments.len())]
    NotYourPayment {
        /// The payments that are not the caller's.
        payments: Vec<PaymentId>,
    },
    #[error("the player, or all players together, watch too much")]
    TooManyWatchers,
    #[error("no push has the secret of the callback")]
    UnknownCallback,
    /// A calling service's bug; never shown to a player.
    #[error("an award is invalid: {0}")]
    Award(#[from] InvalidAward),
    /// A calling service's bug; never shown to a player.
    #[error("a reservation is invalid: {0}")]
    Reservation(#[from] InvalidReservation),
    #[error(transparent)]
    PromotionsSpent(#[from] PromotionsSpent),
    #[error("the awards of this hour have reached their limit")]
    AwardsOverLimit,
    /// A calling service's bug; never shown to a player.
    #[error("the award's id was used with other content")]
    AwardReused,
    #[error("the content is not valid: {0}")]
    Content(#[from] InvalidContent),
    #[error("the operation is not possible: {0}")]
    Operation(#[from] InvalidOperation),
    #[error("there is no operation with that id")]
    UnknownOperation,
    #[error("the operator who requested an operation cannot approve it")]
    SameOperator,
    #[error("there is no break with that id")]
    UnknownBreak,
    #[error("the secret had too many callbacks")]
    TooManyCallbacks,
    #[error("the service is stopping")]
    Stopping,
}

impl mesh::Refusal for Refused {
    fn of_constraint(constraint: &str) -> Option<Self> {
        match constraint {
            "wallet_covers" => Some(Self::InsufficientFunds),
            "money_operation_funding" => {
                Some(InvalidOperation::new("receipt", "is that of another funding").into())
            }
            _ => None,
        }
    }
}

impl From<Refused> for Fault {
    fn from(refused: Refused) -> Self {
        use Code::{FailedPrecondition, InvalidArgument, NotFound, PermissionDenied};
        match refused {
            Refused::UnknownMethod => Self::new(InvalidArgument, "UNKNOWN_METHOD"),
            Refused::MethodNotAllowed => Self::new(InvalidArgument, "METHOD_NOT_ALLOWED"),
            Refused::MethodComingSoon { name } => {
                let name = name.in_language(Call::current().language);
                Self::new(InvalidArgument, "METHOD_COMING_SOON").param("name", name)
            }
            Refused::UnknownPackage => Self::new(NotFound, "UNKNOWN_PACKAGE"),
            Refused::AirtimeBronzeOnly => Self::new(FailedPrecondition, "AIRTIME_BRONZE_ONLY"),
            Refused::Limits(limits) => limits.into(),
            Refused::SpendingLimit(above) => above.into(),
            Refused::SpendingLimitRange => Self::new(InvalidArgument, "AMOUNT_OUT_OF_RANGE")
                .param("least", LEAST_LIMIT)
                .param("most", MOST_LIMIT)
                .field("limit"),
            Refused::PhoneNeeded => {
                Self::new(InvalidArgument, "PHONE_NEEDED").field("mpesa_phone_number")
            }
            Refused::InvalidPhone => {
                Self::new(InvalidArgument, "INVALID_PHONE").field("mpesa_phone_number")
            }
            Refused::PayoutPhoneNotProven => Self::new(PermissionDenied, "PAYOUT_PHONE_NOT_PROVEN"),
            Refused::PayoutPhoneRests { opens_at } => {
                let (time, date) = time_and_date(opens_at);
                Self::new(PermissionDenied, "PAYOUT_PHONE_RESTS")
                    .param("time", time)
                    .param("date", date)
            }
            Refused::WithdrawalsPaused => Self::new(FailedPrecondition, "WITHDRAWALS_PAUSED"),
            Refused::PhoneRateLimited { wait } => Self {
                retry_after: Some(wait),
                ..Self::new(Code::ResourceExhausted, "PHONE_RATE_LIMITED")
            },
            Refused::UnknownPlayer => Self::new(NotFound, "USER_NOT_FOUND"),
            Refused::InsufficientFunds => Self::new(FailedPrecondition, "INSUFFICIENT_FUNDS"),
            Refused::UnknownTransaction => Self::new(NotFound, "TRANSACTION_NOT_FOUND"),
            Refused::StatementTooLong => Self::new(FailedPrecondition, "STATEMENT_TOO_LONG"),
            Refused::UnknownPayment => Self::new(NotFound, "PAYMENT_NOT_FOUND"),
            Refused::NotYourPayment { payments } => {
                let ids: Vec<_> = payments.iter().map(ToString::to_string).collect();
                Self::new(PermissionDenied, "NOT_YOUR_PAYMENT").param("payments", ids.join(","))
            }
            Refused::TooManyWatchers => Self::new(Code::ResourceExhausted, "TOO_MANY_STREAMS"),
            Refused::Award(_) | Refused::Reservation(_) => {
                Self::new(InvalidArgument, "INVALID_ARGUMENT")
            }
            Refused::PromotionsSpent(spent) => spent.into(),
            Refused::AwardsOverLimit => Self::new(Code::ResourceExhausted, "AWARDS_OVER_LIMIT"),
            Refused::AwardReused => Self::new(FailedPrecondition, "IDEMPOTENCY_KEY_REUSED"),
            Refused::UnknownCallback => Self::new(NotFound, "UNKNOWN_CALLBACK"),
            Refused::Content(InvalidContent { field, problem }) => {
                Self::new(InvalidArgument, "INVALID_CONTENT").problem(field, problem)
            }
            Refused::Operation(InvalidOperation { field, problem }) => {
                Self::new(InvalidArgument, "INVALID_OPERATION").problem(field, problem)
            }
            Refused::UnknownOperation => Self::new(NotFound, "OPERATION_NOT_FOUND"),
            Refused::SameOperator => Self::new(FailedPrecondition, "SAME_OPERATOR"),
            Refused::UnknownBreak => Self::new(NotFound, "BREAK_NOT_FOUND"),
            Refused::TooManyCallbacks => Self::new(Code::ResourceExhausted, "TOO_MANY_CALLBACKS"),
            Refused::Stopping => Self::unavailable(),
        }
    }
}

impl From<OutOfLimits> for Fault {
    fn from(limits: OutOfLimits) -> Self {
        let invalid = |reason| Self::new(Code::InvalidArgument, reason);
        let fault = match limits {
            OutOfLimits::Range { least, most } => {
                invalid("AMOUNT_OUT_OF_RANGE").param("least", least).param("most", most)
            }
            OutOfLimits::OddCents => invalid("WHOLE_SHILLINGS_ONLY"),
            OutOfLimits::Daily { daily } => invalid("DAILY_LIMIT").param("daily", daily),
        };
        // The field has the fault's text, so the text is complete by now.
        fault.field("amount")
    }
}

impl From<PromotionsSpent> for Fault {
    fn from(PromotionsSpent { free }: PromotionsSpent) -> Self {
        Self::new(Code::ResourceExhausted, "PROMOTIONS_SPENT").param("free", free)
    }
}

impl From<AboveSpendingLimit> for Fault {
    fn from(AboveSpendingLimit { period, limit, left }: AboveSpendingLimit) -> Self {
        let reason = match period {
            Period::Day => "SPENDING_LIMIT_DAY",
            Period::Week => "SPENDING_LIMIT_WEEK",
            Period::Month => "SPENDING_LIMIT_MONTH",
        };
        Self::new(Code::FailedPrecondition, reason).param("limit", limit).param("left", left)
    }
}
