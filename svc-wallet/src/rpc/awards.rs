//! `AwardService`: awards of money, for svc-tournament.

use proto::wallet::v1::{
    PayAwardRequest, PayAwardResponse, ReserveAwardsRequest, ReserveAwardsResponse,
    award_service_server::AwardService,
};
use tonic::{Request, Response, Status};

use super::decode;
use crate::app::{self, Cx};

pub(super) struct Awards(pub(super) Cx);

#[tonic::async_trait]
impl AwardService for Awards {
    async fn reserve_awards(
        &self,
        request: Request<ReserveAwardsRequest>,
    ) -> Result<Response<ReserveAwardsResponse>, Status> {
        let reservation = decode::reservation(request.into_inner())?;
        app::reserve_awards(&self.0, &reservation).await?;
        Ok(Response::new(ReserveAwardsResponse {}))
    }

    async fn pay_award(
        &self,
        request: Request<PayAwardRequest>,
    ) -> Result<Response<PayAwardResponse>, Status> {
        let award = decode::award(request.into_inner())?;
        app::pay_award(&self.0, &award).await?;
        Ok(Response::new(PayAwardResponse {}))
    }
}
