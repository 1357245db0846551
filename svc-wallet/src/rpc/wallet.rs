//! `WalletService`: players' own money.

use std::pin::Pin;

use mesh::{Fault, auth::player, idempotency::RequestId};
use proto::wallet::v1::{
    GetBalanceRequest, GetBalanceResponse, GetPaymentRequest, GetPaymentResponse,
    ListPaymentMethodsRequest, ListPaymentMethodsResponse, ListTransactionsRequest,
    ListTransactionsResponse, TopUpRequest, TopUpResponse, WatchPaymentsRequest,
    WatchPaymentsResponse, wallet_service_server::WalletService,
};
use tokio_stream::{Stream, StreamExt, wrappers::ReceiverStream};
use tonic::{Request, Response, Status};
use types::{Page, PlayerId};

use super::encode;
use crate::{
    app::{self, Cx, TopUp},
    domain::{MethodId, PaymentId},
};

/// The contract's limits.
const PAGE_MAX: u32 = 100;
const WATCHED_MAX: usize = 20;

/// The service.
pub struct Wallet {
    cx: Cx,
}

impl Wallet {
    /// The service on `cx`.
    pub fn new(cx: Cx) -> Self {
        Self { cx }
    }
}

#[tonic::async_trait]
impl WalletService for Wallet {
    async fn list_payment_methods(
        &self,
        _: Request<ListPaymentMethodsRequest>,
    ) -> Result<Response<ListPaymentMethodsResponse>, Status> {
        let methods = app::methods(&self.cx).await?;
        let payment_methods = methods.into_iter().map(encode::method).collect();
        Ok(Response::new(ListPaymentMethodsResponse { payment_methods }))
    }

    async fn get_balance(
        &self,
        request: Request<GetBalanceRequest>,
    ) -> Result<Response<GetBalanceResponse>, Status> {
        let (balance, available) = app::balance(&self.cx, player(&request)?).await?;
        Ok(Response::new(GetBalanceResponse {
            balance: Some(balance.into()),
            available: Some(available.into()),
        }))
    }

    async fn list_transactions(
        &self,
        request: Request<ListTransactionsRequest>,
    ) -> Result<Response<ListTransactionsResponse>, Status> {
        let player = player(&request)?;
        let page = decode_page(request.into_inner())?;
        let lines = app::history(&self.cx, player, page).await?;
        let transactions =
            lines.into_iter().map(|line| encode::transaction(player.id, line)).collect();
        Ok(Response::new(ListTransactionsResponse { transactions }))
    }

    async fn top_up(
        &self,
        request: Request<TopUpRequest>,
    ) -> Result<Response<TopUpResponse>, Status> {
        let player = player(&request)?;
        let ask = decode_top_up(request.into_inner(), player.id)?;
        let payment = app::top_up(&self.cx, player, ask).await?;
        Ok(Response::new(TopUpResponse { payment: Some(encode::payment(&payment)) }))
    }

    async fn get_payment(
        &self,
        request: Request<GetPaymentRequest>,
    ) -> Result<Response<GetPaymentResponse>, Status> {
        let player = player(&request)?;
        let id = decode_payment_id(&request.into_inner().payment_id)?;
        let payment = app::payment(&self.cx, player, id).await?;
        Ok(Response::new(GetPaymentResponse { payment: Some(encode::payment(&payment)) }))
    }

    type WatchPaymentsStream =
        Pin<Box<dyn Stream<Item = Result<WatchPaymentsResponse, Status>> + Send>>;

    async fn watch_payments(
        &self,
        request: Request<WatchPaymentsRequest>,
    ) -> Result<Response<Self::WatchPaymentsStream>, Status> {
        let player = player(&request)?;
        let ids = decode_watched(&request.into_inner())?;
        let updates = app::watch(&self.cx, player, ids).await?;
        let updates = ReceiverStream::new(updates).map(|update| Ok(encode::update(&update?)));
        Ok(Response::new(Box::pin(updates)))
    }
}

fn decode_page(request: ListTransactionsRequest) -> Result<Page, Fault> {
    Page::parse(request.page, request.page_size, PAGE_MAX)
        .map_err(|error| Fault::invalid_field("pageSize", error.to_string()))
}

fn decode_top_up(request: TopUpRequest, player: PlayerId) -> Result<TopUp, Fault> {
    let beneficiary = match request.beneficiary_id.as_deref() {
        None | Some("") => player,
        Some(id) => PlayerId::parse(id)
            .map_err(|_| Fault::invalid_field("userId", "That is no player's id."))?,
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

fn decode_payment_id(text: &str) -> Result<PaymentId, Fault> {
    PaymentId::parse(text)
        .map_err(|_| Fault::invalid_field("paymentId", "That is no payment's id."))
}

fn decode_watched(request: &WatchPaymentsRequest) -> Result<Vec<PaymentId>, Fault> {
    let many = request.payment_ids.len();
    if many == 0 || many > WATCHED_MAX {
        let text = format!("Watch 1 to {WATCHED_MAX} payments at a time.");
        return Err(Fault::invalid_field("paymentIds", text));
    }
    request.payment_ids.iter().map(|id| decode_payment_id(id)).collect()
}
