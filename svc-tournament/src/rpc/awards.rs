//! `playon.tournament.v1.AwardAdminService`.

use mesh::auth::operator;
use proto::{
    timestamp,
    tournament::v1::{
        DecideAwardRequest, DecideAwardResponse, GivenAward, ListGivenAwardsRequest,
        ListGivenAwardsResponse, award_admin_service_server::AwardAdminService,
    },
    types::v1::Change as WireChange,
};
use tonic::{Request, Response, Status};

use super::{decode, encode};
use crate::{
    app::{self, Cx},
    domain::ListedAward,
};

/// RPCs for operators who look at awards.
pub(super) struct Awards(pub(super) Cx);

#[tonic::async_trait]
impl AwardAdminService for Awards {
    async fn list_given_awards(
        &self,
        request: Request<ListGivenAwardsRequest>,
    ) -> Result<Response<ListGivenAwardsResponse>, Status> {
        operator(&request)?;
        let (state, after, limit) = decode::given_awards(&request.into_inner())?;
        let awards = app::list_given_awards(&self.0, state, after, limit).await?;
        let awards = awards.into_iter().map(given_award).collect();
        Ok(Response::new(ListGivenAwardsResponse { awards }))
    }

    async fn decide_award(
        &self,
        request: Request<DecideAwardRequest>,
    ) -> Result<Response<DecideAwardResponse>, Status> {
        let operator = operator(&request)?;
        let request = request.into_inner();
        let id = decode::given_award_id(&request.award_id)?;
        let (decision, reason) = decode::award_decision(&request)?;
        let change = app::decide_award(&self.0, &operator, id, decision, reason).await?;
        Ok(Response::new(DecideAwardResponse { change: WireChange::from(change).into() }))
    }
}

fn given_award(ListedAward { award, points, needs_phone, decided }: ListedAward) -> GivenAward {
    let (decision, decided_by, reason) = decided
        .map(|decided| (decided.decision, decided.operator, decided.reason))
        .unwrap_or_default();
    GivenAward {
        id: award.id.to_string(),
        tournament_id: award.tournament.to_string(),
        tournament: award.name,
        player_id: award.player.to_string(),
        rank: award.rank,
        points,
        cash: Some(award.cash.into()),
        state: encode::award_state(award.state).into(),
        due_at: Some(timestamp(award.due_at)),
        decision,
        decided_by,
        reason,
        needs_phone,
    }
}
