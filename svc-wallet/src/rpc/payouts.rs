//! `PayoutService`: withdrawals from a player's wallet.

use mesh::auth::player;
use proto::wallet::v1::{
    GetWithdrawChargesRequest, GetWithdrawChargesResponse, WithdrawRequest, WithdrawResponse,
    payout_service_server::PayoutService,
};
use tonic::{Request, Response, Status};

use super::{decode, encode};
use crate::app::{self, Cx};

pub(super) struct Payouts(pub(super) Cx);

#[tonic::async_trait]
impl PayoutService for Payouts {
    async fn get_withdraw_charges(
        &self,
        request: Request<GetWithdrawChargesRequest>,
    ) -> Result<Response<GetWithdrawChargesResponse>, Status> {
        player(&request)?;
        let (method, amount) = decode::withdraw_charges(request.into_inner())?;
        let charge = app::withdraw_charges(&self.0, method, amount).await?;
        Ok(Response::new(encode::charge(charge)))
    }

    async fn withdraw(
        &self,
        request: Request<WithdrawRequest>,
    ) -> Result<Response<WithdrawResponse>, Status> {
        let player = player(&request)?;
        let withdraw = decode::withdraw(request.into_inner())?;
        let payment = app::withdraw(&self.0, player, withdraw).await?;
        Ok(Response::new(WithdrawResponse { payment: Some(encode::payment(&payment)) }))
    }
}
