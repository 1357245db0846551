//! `WalletService`: a player's own money.

use std::pin::Pin;

use mesh::{auth::player, call::Call};
use proto::wallet::v1::{
    GetBalanceRequest, GetBalanceResponse, GetPaymentRequest, GetPaymentResponse,
    GetStatementRequest, GetStatementResponse, GetTransactionRequest, GetTransactionResponse,
    ListPaymentMethodsRequest, ListPaymentMethodsResponse, ListTransactionsRequest,
    ListTransactionsResponse, TopUpRequest, TopUpResponse, WatchPaymentsRequest,
    WatchPaymentsResponse, wallet_service_server::WalletService,
};
use tokio_stream::{Stream, StreamExt, wrappers::ReceiverStream};
use tonic::{Request, Response, Status};

use super::{decode, encode};
use crate::app::{self, Cx};

pub(super) struct Wallet {
    cx: Cx,
}

impl Wallet {
    pub(super) fn new(cx: Cx) -> Self {
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
        let language = Call::current().language;
        let payment_methods = methods.into_iter();
        let payment_methods = payment_methods.map(|one| encode::method(one, language)).collect();
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
            top_up_tax: app::top_up_tax(&self.cx).hundredths(),
        }))
    }

    async fn list_transactions(
        &self,
        request: Request<ListTransactionsRequest>,
    ) -> Result<Response<ListTransactionsResponse>, Status> {
        let player = player(&request)?;
        let (before, page) = decode::history(request.into_inner())?;
        let lines = app::history(&self.cx, player, before, page).await?;
        let transactions =
            lines.into_iter().map(|line| encode::transaction(player.id, line)).collect();
        Ok(Response::new(ListTransactionsResponse { transactions }))
    }

    async fn get_transaction(
        &self,
        request: Request<GetTransactionRequest>,
    ) -> Result<Response<GetTransactionResponse>, Status> {
        let player = player(&request)?;
        let id = decode::transaction_id(&request.into_inner().transaction_id)?;
        let line = app::transaction(&self.cx, player, id).await?;
        let transaction = Some(encode::transaction(player.id, line));
        Ok(Response::new(GetTransactionResponse { transaction }))
    }

    async fn get_statement(
        &self,
        request: Request<GetStatementRequest>,
    ) -> Result<Response<GetStatementResponse>, Status> {
        let player = player(&request)?;
        let (days, format) = decode::statement(&request.into_inner())?;
        let statement = app::statement(&self.cx, player, days).await?;
        let document = encode::statement(statement, format).await?;
        Ok(Response::new(GetStatementResponse { document }))
    }

    async fn top_up(
        &self,
        request: Request<TopUpRequest>,
    ) -> Result<Response<TopUpResponse>, Status> {
        let player = player(&request)?;
        let top_up = decode::top_up(request.into_inner(), player.id)?;
        let payment = app::top_up(&self.cx, player, top_up).await?;
        Ok(Response::new(TopUpResponse { payment: Some(encode::payment(&payment)) }))
    }

    async fn get_payment(
        &self,
        request: Request<GetPaymentRequest>,
    ) -> Result<Response<GetPaymentResponse>, Status> {
        let player = player(&request)?;
        let id = decode::payment_id(&request.into_inner().payment_id)?;
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
        let ids = decode::watched(&request.into_inner())?;
        let updates = app::watch(&self.cx, player, ids).await?;
        let updates = ReceiverStream::new(updates).map(|update| Ok(encode::update(&update?)));
        Ok(Response::new(Box::pin(updates)))
    }
}
