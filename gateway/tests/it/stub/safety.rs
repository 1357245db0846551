//! Safety in rooms.

use proto::chat::v1::{self as chat, safety_service_server::SafetyService};
use tonic::{Request, Response, Status};

use super::Stub;

#[tonic::async_trait]
impl SafetyService for Stub {
    async fn report_message(
        &self,
        request: Request<chat::ReportMessageRequest>,
    ) -> Result<Response<chat::ReportMessageResponse>, Status> {
        self.answer(request, chat::ReportMessageResponse {}).await
    }

    async fn block_player(
        &self,
        request: Request<chat::BlockPlayerRequest>,
    ) -> Result<Response<chat::BlockPlayerResponse>, Status> {
        self.answer(request, chat::BlockPlayerResponse {}).await
    }

    async fn unblock_player(
        &self,
        request: Request<chat::UnblockPlayerRequest>,
    ) -> Result<Response<chat::UnblockPlayerResponse>, Status> {
        self.answer(request, chat::UnblockPlayerResponse {}).await
    }

    async fn list_blocked_players(
        &self,
        request: Request<chat::ListBlockedPlayersRequest>,
    ) -> Result<Response<chat::ListBlockedPlayersResponse>, Status> {
        let player_ids = vec!["u-2".into(), "gone".into()];
        self.answer(request, chat::ListBlockedPlayersResponse { player_ids }).await
    }

    async fn get_sending_rules(
        &self,
        request: Request<chat::GetSendingRulesRequest>,
    ) -> Result<Response<chat::GetSendingRulesResponse>, Status> {
        let rules = chat::GetSendingRulesResponse {
            closed: false,
            muted_seconds: 0,
            slow_mode_seconds: 30,
            wait_seconds: 12,
        };
        self.answer(request, rules).await
    }
}
