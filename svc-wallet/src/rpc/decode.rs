//! Decoding the contract's requests.

use mesh::{Fault, idempotency::RequestId};
use proto::{
    from_timestamp,
    wallet::v1::{
        GetStatementRequest, GetWithdrawChargesRequest, ListTransactionsRequest, PayAwardRequest,
        Provider, ReceiveCallbackRequest, ReserveAwardsRequest, StatementFormat, TopUpRequest,
        WatchPaymentsRequest, WithdrawRequest,
    },
};
use tonic::Code;
use types::{Money, Page, PlayerId, Text};

use crate::{
    app::{NewCallback, NewEvent, NewNotice, TopUp, Withdraw},
    domain::{
        Award, AwardId, CallbackKind, Days, InvalidAward, InvalidDays, InvalidReservation,
        MethodId, PaymentId, Reservation, ReservationId, TransactionId,
    },
    error::{Error, Refused},
};

/// The contract's limit of a history page.
const PAGE_MAX: u32 = 100;
/// The contract's limit of payments in one watch.
const WATCHED_MAX: usize = 20;
/// The contract's limit of a callback's body, in bytes.
const BODY_MAX: usize = 16 * 1024;
/// The contract's limit of the body of a Paystack event, in bytes.
const EVENT_MAX: usize = 64 * 1024;
/// Longest accepted secret of a callback's path. Ours have 32 characters.
const SECRET_MAX: usize = 64;

/// Decodes the cursor, if there is one, and the page.
pub(super) fn history(request: ListTransactionsRequest) -> Result<(Option<i64>, Page), Fault> {
    let page = Page::parse(request.page, request.page_size, PAGE_MAX)
        .map_err(|error| Fault::invalid_field("page_size", error))?;
    let before = match request.before.as_deref() {
        None | Some("") => None,
        Some(text) => Some(
            text.parse().map_err(|_| Fault::invalid_field("before", "HISTORY_PLACE_UNKNOWN"))?,
        ),
    };
    Ok((before, page))
}

/// Decodes a top-up. `player` is the beneficiary if the request names none.
pub(super) fn top_up(request: TopUpRequest, player: PlayerId) -> Result<TopUp, Fault> {
    let beneficiary = match request.beneficiary_id.as_deref() {
        None | Some("") => player,
        Some(id) => PlayerId::parse(id)
            .map_err(|_| Fault::invalid_field("beneficiary_id", "BENEFICIARY_UNKNOWN"))?,
    };
    Ok(TopUp {
        request: RequestId::parse(&request.request_id)?,
        method: method(&request.payment_method_id)?,
        amount: amount(request.amount)?,
        phone: request.mpesa_phone_number,
        beneficiary,
    })
}

pub(super) fn transaction_id(text: &str) -> Result<TransactionId, Error> {
    TransactionId::parse(text).map_err(|_| Refused::UnknownTransaction.into())
}

/// The days and the format of a statement.
pub(super) fn statement(request: &GetStatementRequest) -> Result<(Days, StatementFormat), Fault> {
    let days = days(&request.from, &request.to)?;
    match request.format() {
        StatementFormat::Unspecified => Err(Fault::invalid_field("format", "FORMAT_UNKNOWN")),
        format => Ok((days, format)),
    }
}

/// The days from the first to the last.
pub(super) fn days(from: &str, to: &str) -> Result<Days, Fault> {
    Days::parse(from, to).map_err(|error| match error {
        InvalidDays::Date => Fault::invalid_field("from", "DAYS_MISSING"),
        InvalidDays::Order => Fault::invalid_field("to", "DAYS_REVERSED"),
        InvalidDays::Length => Fault::invalid_field("to", "DAYS_TOO_MANY"),
    })
}

pub(super) fn withdraw_charges(
    request: GetWithdrawChargesRequest,
) -> Result<(MethodId, Money), Fault> {
    Ok((method(&request.payment_method_id)?, amount(request.amount)?))
}

pub(super) fn withdraw(request: WithdrawRequest) -> Result<Withdraw, Fault> {
    Ok(Withdraw {
        request: RequestId::parse(&request.request_id)?,
        method: method(&request.payment_method_id)?,
        amount: amount(request.amount)?,
        phone: request.mpesa_phone_number,
    })
}

fn method(id: &str) -> Result<MethodId, Fault> {
    MethodId::parse(id).map_err(|_| Fault::invalid_field("payment_method_id", "UNKNOWN_METHOD"))
}

fn amount(amount: Option<proto::types::v1::Money>) -> Result<Money, Fault> {
    proto::money(amount, "amount").map_err(|_| Fault::invalid_field("amount", "AMOUNT_MISSING"))
}

pub(super) fn payment_id(text: &str) -> Result<PaymentId, Fault> {
    PaymentId::parse(text).map_err(|_| Fault::invalid_field("payment_id", "PAYMENT_NOT_FOUND"))
}

pub(super) fn watched(request: &WatchPaymentsRequest) -> Result<Vec<PaymentId>, Fault> {
    let count = request.payment_ids.len();
    if count == 0 || count > WATCHED_MAX {
        let text = Text::new("PAYMENTS_OUT_OF_RANGE").with("max", WATCHED_MAX);
        return Err(Fault::invalid_field("payment_ids", text));
    }
    let (mut ids, mut unreadable) = (Vec::with_capacity(count), Vec::new());
    for text in &request.payment_ids {
        match PaymentId::parse(text) {
            Ok(id) => ids.push(id),
            Err(_) => unreadable.push(text.as_str()),
        }
    }
    if unreadable.is_empty() {
        return Ok(ids);
    }
    let mut fault = Fault::invalid_field("payment_ids", "PAYMENT_NOT_FOUND");
    // Name the payments in the same parameter as NOT_YOUR_PAYMENT.
    fault.params.push(("payments".into(), unreadable.join(",")));
    Err(fault)
}

/// A callback, by the way it authenticates its sender.
pub(super) enum Callback {
    /// M-Pesa authenticates by a secret in the path.
    Mpesa(NewCallback),
    /// The carrier authenticates by a secret in the path.
    Airtime(NewNotice),
    /// Paystack authenticates by a signature.
    Paystack(NewEvent),
}

pub(super) fn callback(request: ReceiveCallbackRequest) -> Result<Callback, Fault> {
    let not_a_callback = || Fault::new(Code::InvalidArgument, "NOT_A_CALLBACK");
    let provider = Provider::try_from(request.provider).map_err(|_| not_a_callback())?;
    let body_max = if provider == Provider::Paystack { EVENT_MAX } else { BODY_MAX };
    if request.body.len() > body_max || request.secret.len() > SECRET_MAX {
        return Err(not_a_callback());
    }
    let ReceiveCallbackRequest { secret, body, source_ip, signature, .. } = request;
    let kind = match provider {
        Provider::MpesaStk => CallbackKind::MpesaStk,
        Provider::MpesaB2c => CallbackKind::MpesaB2c,
        Provider::MpesaTimeout => CallbackKind::MpesaTimeout,
        Provider::MpesaStatus => CallbackKind::MpesaStatus,
        Provider::Airtime => return Ok(Callback::Airtime(NewNotice { secret, body, source_ip })),
        Provider::Paystack => {
            return Ok(Callback::Paystack(NewEvent { body, signature, source_ip }));
        }
        Provider::MpesaReversal => CallbackKind::MpesaReversal,
        Provider::Unspecified => return Err(not_a_callback()),
    };
    Ok(Callback::Mpesa(NewCallback { kind, secret, body, source_ip }))
}

pub(super) fn reservation(request: ReserveAwardsRequest) -> Result<Reservation, Error> {
    let id = ReservationId::parse(&request.reservation_id).map_err(|_| InvalidReservation::Id);
    let amount = proto::money(request.amount, "amount").map_err(|_| InvalidReservation::Amount);
    let until = from_timestamp(request.until, "until").map_err(|_| InvalidReservation::Until);
    let reservation = Reservation {
        id: id.map_err(Refused::from)?,
        purpose: request.purpose,
        amount: amount.map_err(Refused::from)?,
        until: until.map_err(Refused::from)?,
    };
    reservation.validate().map_err(Refused::from)?;
    Ok(reservation)
}

pub(super) fn award(request: PayAwardRequest) -> Result<Award, Error> {
    let id = AwardId::parse(&request.award_id).map_err(|_| InvalidAward::Id);
    let player = PlayerId::parse(&request.player_id).map_err(|_| InvalidAward::Player);
    let amount = proto::money(request.amount, "amount").map_err(|_| InvalidAward::Amount);
    let at = from_timestamp(request.awarded_at, "awarded_at").map_err(|_| InvalidAward::Time);
    let reservation = request.reservation_id.as_deref().map(ReservationId::parse).transpose();
    let award = Award {
        id: id.map_err(Refused::from)?,
        player: player.map_err(Refused::from)?,
        amount: amount.map_err(Refused::from)?,
        detail: request.detail,
        awarded_at: at.map_err(Refused::from)?,
        reservation: reservation.map_err(|_| Refused::from(InvalidAward::Reservation))?,
    };
    award.validate().map_err(Refused::from)?;
    Ok(award)
}
