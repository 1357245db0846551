//! `playon.chat.v1.SafetyService`.

use std::time::Duration;

use mesh::{Fault, auth::player};
use proto::chat::v1::{
    BlockPlayerRequest, BlockPlayerResponse, GetSendingRulesRequest, GetSendingRulesResponse,
    ListBlockedPlayersRequest, ListBlockedPlayersResponse, ReportMessageRequest,
    ReportMessageResponse, ReportReason as WireReason, UnblockPlayerRequest, UnblockPlayerResponse,
    safety_service_server::SafetyService,
};
use tonic::{Request, Response, Status};
use types::{
    PlayerId, Text,
    writing::{self, WritingError},
};

use super::decode_rooms;
use crate::{
    app::{self, Cx},
    domain::{NOTE_MAX, NewReport, ReportReason},
    error::Error,
};

/// RPCs that players may call.
pub(super) struct Safety(pub(super) Cx);

#[tonic::async_trait]
impl SafetyService for Safety {
    async fn report_message(
        &self,
        request: Request<ReportMessageRequest>,
    ) -> Result<Response<ReportMessageResponse>, Status> {
        let player = player(&request)?;
        let report = new_report(request.get_ref())?;
        app::report_message(&self.0, player.id, &report).await?;
        Ok(Response::new(ReportMessageResponse {}))
    }

    async fn block_player(
        &self,
        request: Request<BlockPlayerRequest>,
    ) -> Result<Response<BlockPlayerResponse>, Status> {
        let player = player(&request)?;
        let other = player_id(&request.get_ref().player_id)?;
        app::block_player(&self.0, player.id, other).await?;
        Ok(Response::new(BlockPlayerResponse {}))
    }

    async fn unblock_player(
        &self,
        request: Request<UnblockPlayerRequest>,
    ) -> Result<Response<UnblockPlayerResponse>, Status> {
        let player = player(&request)?;
        let other = player_id(&request.get_ref().player_id)?;
        app::unblock_player(&self.0, player.id, other).await?;
        Ok(Response::new(UnblockPlayerResponse {}))
    }

    async fn list_blocked_players(
        &self,
        request: Request<ListBlockedPlayersRequest>,
    ) -> Result<Response<ListBlockedPlayersResponse>, Status> {
        let blocked = app::list_blocked_players(&self.0, player(&request)?.id).await?;
        let player_ids = blocked.into_iter().map(|player| player.to_string()).collect();
        Ok(Response::new(ListBlockedPlayersResponse { player_ids }))
    }

    async fn get_sending_rules(
        &self,
        request: Request<GetSendingRulesRequest>,
    ) -> Result<Response<GetSendingRulesResponse>, Status> {
        let player = player(&request)?;
        let room = &request.get_ref().chat_room_id;
        let rules = app::sending_rules(&self.0, player.id, room).await?;
        let now = self.0.clock.now();
        Ok(Response::new(GetSendingRulesResponse {
            closed: rules.closed,
            muted_seconds: whole_seconds(rules.muted_for(now)),
            slow_mode_seconds: whole_seconds(Some(rules.slow_mode)),
            wait_seconds: whole_seconds(rules.wait(now)),
        }))
    }
}

/// Rounds up to whole seconds, so that a player who waits that long may send.
fn whole_seconds(wait: Option<Duration>) -> u32 {
    let millis = wait.unwrap_or_default().as_millis().div_ceil(1_000);
    u32::try_from(millis).unwrap_or(u32::MAX)
}

fn new_report(request: &ReportMessageRequest) -> Result<NewReport, Error> {
    let reason = match request.reason() {
        WireReason::Abuse => ReportReason::Abuse,
        WireReason::Hate => ReportReason::Hate,
        WireReason::Sexual => ReportReason::Sexual,
        WireReason::Scam => ReportReason::Scam,
        WireReason::Spam => ReportReason::Spam,
        WireReason::Other => ReportReason::Other,
        WireReason::Unspecified => {
            return Err(Fault::invalid_field("reason", "REPORT_REASON_MISSING").into());
        }
    };
    let note = match writing::lines(&request.note, NOTE_MAX) {
        Ok(note) => note,
        Err(WritingError::Empty) => String::new(),
        Err(WritingError::TooLong) => {
            let text = Text::new("NOTE_TOO_LONG").with("max", NOTE_MAX);
            return Err(Fault::invalid_field("note", text).into());
        }
        Err(WritingError::NotPlain) => {
            return Err(Fault::invalid_field("note", "MESSAGE_NOT_PLAIN").into());
        }
    };
    let message = decode_rooms::message_id(&request.message_id)?;
    Ok(NewReport { message, reason, note })
}

pub(super) fn player_id(text: &str) -> Result<PlayerId, Fault> {
    PlayerId::parse(text).map_err(|_| Fault::invalid_field("player_id", "PLAYER_MALFORMED"))
}
