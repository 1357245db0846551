//! Withdrawals. svc-wallet validates amounts, phones and limits.

use axum::extract::State;
use mesh::Fault;
use proto::wallet::v1::{GetWithdrawChargesRequest, WithdrawRequest};
use types::Money;

use super::{
    HandlerResult,
    body::{Body, request},
    param::{Query, RequestId, Segment},
    wallet::Payment,
    wire::Kes,
};
use crate::{Gateway, envelope::Reply};

/// `GET /wallets/withdraw-charges/{paymentMethodId}`: the fee on top of the amount.
pub(crate) async fn charges(
    State(gateway): State<Gateway>,
    Segment(payment_method_id): Segment,
    Query(query): Query<Charged>,
) -> HandlerResult<Kes> {
    let amount = Money::parse(&query.amount)
        .map_err(|_| Fault::invalid_field("amount", "AMOUNT_MISSING"))?;
    let request = GetWithdrawChargesRequest { payment_method_id, amount: Some(amount.into()) };
    let reply = gateway.upstreams().payouts().get_withdraw_charges(request).await?;
    Ok(Reply::ok(Kes::promised(reply.into_inner().fee, "fee")?))
}

/// `POST /wallets/withdraw`
pub(crate) async fn withdraw(
    State(gateway): State<Gateway>,
    RequestId(request_id): RequestId,
    Body(body): Body<Withdrawal>,
) -> HandlerResult<Payment> {
    let request = WithdrawRequest {
        request_id,
        payment_method_id: body.payment_method_id,
        amount: Some(body.amount.0.into()),
        mpesa_phone_number: body.mpesa_phone_number,
    };
    let reply = gateway.upstreams().payouts().withdraw(request).await?;
    Ok(Reply::ok(reply.into_inner().payment.try_into()?))
}

request! {
    /// The amount whose fee is asked for.
    pub(crate) struct Charged {
        amount: String = "amount",
    }
}

request! {
    /// A withdrawal to a phone.
    pub(crate) struct Withdrawal {
        payment_method_id: String = "paymentMethodId",
        /// The amount without the fee.
        amount: Kes = "amount",
        /// The phone that gets the money.
        mpesa_phone_number: String = "mpesaPhoneNumber",
    }
}
