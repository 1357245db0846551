//! `FormerAccountService`: money that erased accounts left, for svc-auth.

use mesh::Fault;
use proto::{
    from_timestamp,
    wallet::v1::{
        MoveFormerMoneyRequest, MoveFormerMoneyResponse,
        former_account_service_server::FormerAccountService,
    },
};
use tonic::{Request, Response, Status};
use types::PlayerId;

use crate::app::{self, Cx, FormerAccount};

pub(super) struct FormerAccounts(pub(super) Cx);

#[tonic::async_trait]
impl FormerAccountService for FormerAccounts {
    async fn move_former_money(
        &self,
        request: Request<MoveFormerMoneyRequest>,
    ) -> Result<Response<MoveFormerMoneyResponse>, Status> {
        app::move_former_money(&self.0, decode(request.into_inner())?).await?;
        Ok(Response::new(MoveFormerMoneyResponse {}))
    }
}

fn decode(request: MoveFormerMoneyRequest) -> Result<FormerAccount, Fault> {
    let id = |field, text: &str| {
        PlayerId::parse(text).map_err(|_| Fault::invalid_field(field, "PLAYER_ID_MALFORMED"))
    };
    let former = id("former_player_id", &request.former_player_id)?;
    let player = id("player_id", &request.player_id)?;
    if former == player {
        return Err(Fault::invalid_field("player_id", "PLAYER_ID_MALFORMED"));
    }
    let proven_at = from_timestamp(request.proven_at, "proven_at")
        .map_err(|_| Fault::invalid_field("proven_at", "TIME_MISSING"))?;
    Ok(FormerAccount { former, player, proven_at })
}
