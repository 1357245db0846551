//! Decoding and encoding the messages of `MoneyOperationsService`.

use proto::{
    timestamp,
    wallet::v1::{
        Break as WireBreak, CaseKind as WireCaseKind, GetPromotionsResponse, LogLine,
        OpenCase as WireCase, Operation as WireOperation, OperationKind as WireKind,
        OperationState as WireState, PayoutPause as WirePause, PromotionReservation,
        RequestOperationRequest, TaxSum as WireTaxSum, TransactionKind,
    },
};
use time::OffsetDateTime;
use types::{PlayerId, uuid::Uuid};

use crate::{
    domain::{
        Break, BreakId, CaseKind, InvalidOperation, NewOperation, OpenCase, OpenReservation,
        Operation, OperationId, OperationKind, OperationState, PaymentId, PayoutPause, Promotions,
        Tax, TaxSum,
    },
    error::{Error, Refused},
};

/// The contract's limits of a page's size.
const PAGE: u32 = 50;
const PAGE_MAX: u32 = 100;

fn invalid(field: &'static str, problem: &'static str) -> Error {
    Refused::from(InvalidOperation::new(field, problem)).into()
}

pub(super) fn limit(page_size: u32) -> Result<i64, Error> {
    match page_size {
        0 => Ok(PAGE.into()),
        1..=PAGE_MAX => Ok(page_size.into()),
        _ => Err(invalid("page_size", "is not 1 to 100")),
    }
}

/// Decodes the id of the last row of the page before; `None` for the first page.
pub(super) fn cursor<T: From<Uuid>>(text: &str, field: &'static str) -> Result<Option<T>, Error> {
    if text.is_empty() {
        return Ok(None);
    }
    let id = Uuid::try_parse(text).map_err(|_| invalid(field, "is no id"))?;
    Ok(Some(id.into()))
}

pub(super) fn payment(text: &str) -> Result<PaymentId, Error> {
    PaymentId::parse(text).map_err(|_| Refused::UnknownPayment.into())
}

pub(super) fn operation_id(text: &str) -> Result<OperationId, Error> {
    OperationId::parse(text).map_err(|_| Refused::UnknownOperation.into())
}

pub(super) fn break_id(text: &str) -> Result<BreakId, Error> {
    BreakId::parse(text).map_err(|_| Refused::UnknownBreak.into())
}

pub(super) fn asked(request: RequestOperationRequest) -> Result<NewOperation, Error> {
    let kind = match request.kind() {
        WireKind::Unspecified => return Err(invalid("kind", "is missing")),
        WireKind::Credit => OperationKind::Credit,
        WireKind::Refund => OperationKind::Refund,
        WireKind::Release => OperationKind::Release,
        WireKind::Confirm => OperationKind::Confirm,
        WireKind::Approve => OperationKind::Approve,
        WireKind::Outflow => OperationKind::Outflow,
        WireKind::Fund => OperationKind::Fund,
    };
    let player = match request.player_id.as_deref() {
        None => None,
        Some(id) => Some(PlayerId::parse(id).map_err(|_| Refused::UnknownPlayer)?),
    };
    let amount = match request.amount {
        None => None,
        Some(_) => Some(
            proto::money(request.amount, "amount")
                .map_err(|_| invalid("amount", "is no amount"))?,
        ),
    };
    Ok(NewOperation {
        kind,
        payment: request.payment_id.as_deref().map(payment).transpose()?,
        player,
        amount,
        // M-Pesa writes receipts in capitals. Others are kept as operators write them.
        receipt: match kind {
            OperationKind::Fund => request.receipt.map(|receipt| receipt.to_ascii_uppercase()),
            _ => request.receipt,
        },
        reason: request.reason.trim().to_owned(),
    })
}

pub(super) fn tax(TaxSum { tax, sum, count }: TaxSum) -> WireTaxSum {
    let kind = match tax {
        Tax::Excise => TransactionKind::ExciseDuty,
        Tax::Withholding => TransactionKind::WithholdingTax,
    };
    WireTaxSum { tax: kind.into(), sum: Some(sum.into()), count: count.unsigned_abs() }
}

pub(super) const fn case_kind(kind: WireCaseKind) -> Option<CaseKind> {
    match kind {
        WireCaseKind::Unspecified => None,
        WireCaseKind::Unknown => Some(CaseKind::Unknown),
        WireCaseKind::Suspended => Some(CaseKind::Suspended),
        WireCaseKind::PaidTwice => Some(CaseKind::PaidTwice),
        WireCaseKind::Held => Some(CaseKind::Held),
        WireCaseKind::Disputed => Some(CaseKind::Disputed),
        WireCaseKind::Reversal => Some(CaseKind::Reversal),
        WireCaseKind::Charge => Some(CaseKind::Charge),
        WireCaseKind::CardMismatch => Some(CaseKind::CardMismatch),
        WireCaseKind::CardRefund => Some(CaseKind::CardRefund),
    }
}

pub(super) fn case(case: &OpenCase, now: OffsetDateTime) -> WireCase {
    let kind = match case.kind {
        CaseKind::Unknown => WireCaseKind::Unknown,
        CaseKind::Suspended => WireCaseKind::Suspended,
        CaseKind::PaidTwice => WireCaseKind::PaidTwice,
        CaseKind::Held => WireCaseKind::Held,
        CaseKind::Disputed => WireCaseKind::Disputed,
        CaseKind::Reversal => WireCaseKind::Reversal,
        CaseKind::Charge => WireCaseKind::Charge,
        CaseKind::CardMismatch => WireCaseKind::CardMismatch,
        CaseKind::CardRefund => WireCaseKind::CardRefund,
    };
    WireCase {
        payment_id: case.payment.to_string(),
        kind: kind.into(),
        player_id: case.player.to_string(),
        amount: Some(case.amount.into()),
        detail: case.detail(now),
        since: Some(timestamp(case.since)),
    }
}

pub(super) fn line(at: OffsetDateTime, text: String) -> LogLine {
    LogLine { at: Some(timestamp(at)), text }
}

pub(super) const fn state(state: WireState) -> Option<OperationState> {
    match state {
        WireState::Unspecified => None,
        WireState::Waiting => Some(OperationState::Waiting),
        WireState::Done => Some(OperationState::Done),
        WireState::Refused => Some(OperationState::Refused),
    }
}

pub(super) fn operation(operation: Operation) -> WireOperation {
    let kind = match operation.asked.kind {
        OperationKind::Credit => WireKind::Credit,
        OperationKind::Refund => WireKind::Refund,
        OperationKind::Release => WireKind::Release,
        OperationKind::Confirm => WireKind::Confirm,
        OperationKind::Approve => WireKind::Approve,
        OperationKind::Outflow => WireKind::Outflow,
        OperationKind::Fund => WireKind::Fund,
    };
    let state = match operation.state {
        OperationState::Waiting => WireState::Waiting,
        OperationState::Done => WireState::Done,
        OperationState::Refused => WireState::Refused,
    };
    let remark = operation.remark().unwrap_or_default().to_owned();
    WireOperation {
        id: operation.id.to_string(),
        kind: kind.into(),
        state: state.into(),
        payment_id: operation.asked.payment.map(|id| id.to_string()),
        player_id: operation.asked.player.map(|id| id.to_string()),
        amount: Some(operation.amount.into()),
        reason: operation.asked.reason,
        requested_by: operation.requested_by,
        decided_by: operation.decided_by,
        requested_at: Some(timestamp(operation.requested_at)),
        decided_at: operation.decided_at.map(timestamp),
        remark,
    }
}

pub(super) fn promotions(
    promotions: Promotions,
    open: Vec<OpenReservation>,
) -> GetPromotionsResponse {
    let reservations =
        open.into_iter().map(|OpenReservation { reservation, paid }| PromotionReservation {
            id: reservation.id.to_string(),
            purpose: reservation.purpose,
            amount: Some(reservation.amount.into()),
            paid: Some(paid.into()),
            until: Some(timestamp(reservation.until)),
        });
    GetPromotionsResponse {
        left: Some(promotions.left.into()),
        reserved: Some(promotions.reserved.into()),
        reservations: reservations.collect(),
    }
}

pub(super) fn payout_pause(pause: &PayoutPause) -> WirePause {
    WirePause {
        causes: pause.causes(),
        resume_requested_by: pause.resume_requested_by().map(str::to_owned),
    }
}

pub(super) fn recon_break(found: Break) -> WireBreak {
    WireBreak {
        id: found.id.to_string(),
        provider: found.of.name().to_owned(),
        reference: found.difference.reference,
        kind: <&str>::from(found.difference.kind).to_owned(),
        ours: found.difference.ours.map(Into::into),
        theirs: found.difference.theirs.map(Into::into),
        found_at: Some(timestamp(found.found_at)),
        resolution: found.resolution,
    }
}
