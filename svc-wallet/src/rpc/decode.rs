//! Requests of the contract, parsed.

use mesh::{Fault, idempotency::RequestId};
use proto::{
    from_timestamp,
    wallet::v1::{
        ListTransactionsRequest, PayAwardRequest, Provider, ReceiveCallbackRequest, TopUpRequest,
        WatchPaymentsRequest,
    },
};
use tonic::Code;
use types::{Page, PlayerId};

use crate::{
    app::{NewCallback, TopUp},
    domain::{Award, AwardId, InvalidAward, MethodId, PaymentId},
    error::{Error, Refused},
};

/// The contract's limit of a history page.
const PAGE_MAX: u32 = 100;
/// The contract's limit of payments in one watch.
const WATCHED_MAX: usize = 20;
/// The contract's limit of a callback's body, in bytes.
const BODY_MAX: usize = 16 * 1024;
/// A secret of ours has 32 characters.
const SECRET_MAX: usize = 64;

pub(super) fn page(request: ListTransactionsRequest) -> Result<Page, Fault> {
    Page::parse(request.page, request.page_size, PAGE_MAX)
        .map_err(|error| Fault::invalid_field("pageSize", error.to_string()))
}

/// `player` is the beneficiary where the request names none.
pub(super) fn top_up(request: TopUpRequest, player: PlayerId) -> Result<TopUp, Fault> {
    let beneficiary = match request.beneficiary_id.as_deref() {
        None | Some("") => player,
        Some(id) => PlayerId::parse(id).map_err(|_| {
            Fault::invalid_field("userId", "We do not know that player. Please choose another one.")
        })?,
    };
    Ok(TopUp {
        request: RequestId::parse(&request.request_id)?,
        method: MethodId::parse(&request.payment_method_id).map_err(|_| {
            Fault::invalid_field("paymentMethodId", "Please choose one of the payment methods.")
        })?,
        amount: proto::money(request.amount, "amount")
            .map_err(|_| Fault::invalid_field("amount", "Please enter an amount."))?,
        phone: request.mpesa_phone_number,
        beneficiary,
    })
}

pub(super) fn payment_id(text: &str) -> Result<PaymentId, Fault> {
    PaymentId::parse(text)
        .map_err(|_| Fault::invalid_field("paymentId", "We could not find that payment."))
}

pub(super) fn watched(request: &WatchPaymentsRequest) -> Result<Vec<PaymentId>, Fault> {
    let count = request.payment_ids.len();
    if count == 0 || count > WATCHED_MAX {
        let text = format!("Watch 1 to {WATCHED_MAX} payments at a time.");
        return Err(Fault::invalid_field("paymentIds", text));
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
    let mut fault = Fault::invalid_field("paymentIds", "We could not find that payment.");
    // Which they are, as NOT_YOUR_PAYMENT says it.
    fault.params.push(("payments".into(), unreadable.join(",")));
    Err(fault)
}

pub(super) fn callback(request: ReceiveCallbackRequest) -> Result<NewCallback, Fault> {
    let known = request.provider == i32::from(Provider::MpesaStk);
    if !known || request.body.len() > BODY_MAX || request.secret.len() > SECRET_MAX {
        return Err(Fault::new(Code::InvalidArgument, "NOT_A_CALLBACK"));
    }
    Ok(NewCallback { secret: request.secret, body: request.body, source_ip: request.source_ip })
}

pub(super) fn award(request: PayAwardRequest) -> Result<Award, Error> {
    let id = AwardId::parse(&request.award_id).map_err(|_| InvalidAward::Id);
    let player = PlayerId::parse(&request.player_id).map_err(|_| InvalidAward::Player);
    let amount = proto::money(request.amount, "amount").map_err(|_| InvalidAward::Amount);
    let at = from_timestamp(request.awarded_at, "awarded_at").map_err(|_| InvalidAward::Time);
    let award = Award {
        id: id.map_err(Refused::from)?,
        player: player.map_err(Refused::from)?,
        amount: amount.map_err(Refused::from)?,
        detail: request.detail,
        awarded_at: at.map_err(Refused::from)?,
    };
    award.validate().map_err(Refused::from)?;
    Ok(award)
}
