//! The lines of text that the commands print.

use proto::{
    from_timestamp,
    wallet::v1::{
        Break, CaseKind, OpenCase, Operation, OperationKind, OperationState, PromotionReservation,
        RequestOperationRequest, TaxSum, TransactionKind,
    },
};
use time::macros::format_description;
use types::Money;

type Timestamp = prost_types::Timestamp;

/// A time in UTC, to the second.
pub(super) fn time(at: Option<Timestamp>) -> String {
    let format = format_description!("[year]-[month]-[day] [hour]:[minute]:[second]Z");
    let at = from_timestamp(at, "at").ok();
    at.and_then(|at| at.format(format).ok()).unwrap_or_default()
}

pub(super) fn amount(wire: Option<proto::types::v1::Money>) -> String {
    proto::money(wire, "amount").map_or_else(|_| "-".to_owned(), |amount: Money| amount.to_string())
}

pub(super) fn case(case: &OpenCase) -> String {
    let kind = match case.kind() {
        CaseKind::Unknown => "unknown",
        CaseKind::Suspended => "suspended",
        CaseKind::PaidTwice => "paid twice",
        CaseKind::Held => "held",
        CaseKind::Disputed => "disputed",
        CaseKind::Reversal => "reversal",
        CaseKind::Charge => "charge",
        CaseKind::CardMismatch => "mismatch",
        CaseKind::CardRefund => "refund",
        CaseKind::Unspecified => "?",
    };
    format!(
        "{}  {kind:<10} {:>16}  {}  player {}  {}",
        case.payment_id,
        amount(case.amount),
        time(case.since),
        case.player_id,
        case.detail
    )
}

fn name(kind: OperationKind) -> &'static str {
    match kind {
        OperationKind::Credit => "credit",
        OperationKind::Refund => "refund",
        OperationKind::Release => "release",
        OperationKind::Confirm => "confirm",
        OperationKind::Approve => "approve",
        OperationKind::Outflow => "outflow",
        OperationKind::Fund => "fund",
        OperationKind::Unspecified => "?",
    }
}

pub(super) fn operation(operation: &Operation) -> String {
    let state = match operation.state() {
        OperationState::Waiting => "waiting",
        OperationState::Done => "done",
        OperationState::Refused => "refused",
        OperationState::Unspecified => "?",
    };
    let of = match (&operation.payment_id, &operation.player_id) {
        (Some(payment), Some(player)) => format!("payment {payment} to player {player}"),
        (Some(payment), None) => format!("payment {payment}"),
        (None, Some(player)) => format!("player {player}"),
        (None, None) => String::new(),
    };
    let decided = match &operation.decided_by {
        Some(by) if *by != operation.requested_by => format!(", decided by {by}"),
        _ => String::new(),
    };
    format!(
        "{}  {state:<8} {:<8} {:>16}  {of}  by {}{decided}, {}: {}",
        operation.id,
        name(operation.kind()),
        amount(operation.amount),
        operation.requested_by,
        time(operation.requested_at),
        operation.reason
    )
}

pub(super) fn reservation(reservation: &PromotionReservation) -> String {
    format!(
        "{}  {:>16}, paid {:>16}  until {}  {}",
        reservation.id,
        amount(reservation.amount),
        amount(reservation.paid),
        time(reservation.until),
        reservation.purpose
    )
}

pub(super) fn tax(tax: &TaxSum) -> String {
    let name = match tax.tax() {
        TransactionKind::ExciseDuty => "excise duty",
        TransactionKind::WithholdingTax => "withholding tax",
        _ => "?",
    };
    format!("{name:<16} {:>16}  taken {} times", amount(tax.sum), tax.count)
}

pub(super) fn recon_break(found: &Break) -> String {
    let resolution = match &found.resolution {
        Some(text) => format!("  resolved: {text}"),
        None => String::new(),
    };
    format!(
        "{}  {:<8} {:<14} {:<16} ours {:>14}, theirs {:>14}  {}{resolution}",
        found.id,
        found.provider,
        found.kind,
        found.reference,
        amount(found.ours),
        amount(found.theirs),
        time(found.found_at)
    )
}

/// The question that is asked before an operation is sent.
pub(super) fn question(request: &RequestOperationRequest) -> String {
    let mut text = name(request.kind()).to_owned();
    if request.amount.is_some() {
        text = format!("{text} {}", amount(request.amount));
    } else if matches!(request.kind(), OperationKind::Credit | OperationKind::Refund) {
        text = format!("{text} all that is there");
    }
    if let Some(payment) = &request.payment_id {
        text = format!("{text} of payment {payment}");
    }
    if let Some(player) = &request.player_id {
        text = format!("{text} to player {player}");
    }
    if let Some(receipt) = &request.receipt {
        text = format!("{text} by receipt {receipt}");
    }
    text
}
