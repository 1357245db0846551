//! Reports of messages, blocked players, and what a player may send in a room.

use axum::extract::State;
use proto::chat::v1::{
    BlockPlayerRequest, GetSendingRulesRequest, ListBlockedPlayersRequest, ReportMessageRequest,
    ReportReason, UnblockPlayerRequest,
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    HandlerResult,
    body::{Body, request},
    param::Segment,
};
use crate::{Gateway, envelope::Reply, openapi::schema::payloads};

/// Most players in one look-up of names.
const NAMES: usize = 100;

/// `POST /chats/{id}/report`
pub(crate) async fn report(
    State(gateway): State<Gateway>,
    Segment(message_id): Segment,
    Body(body): Body<Report>,
) -> HandlerResult<()> {
    let request = ReportMessageRequest {
        message_id,
        reason: parse_reason(&body.reason).into(),
        note: body.note.unwrap_or_default(),
    };
    gateway.upstreams().safety().report_message(request).await?;
    Ok(Reply::ok(()))
}

/// `GET /profile/blocked-players`
pub(crate) async fn blocked(State(gateway): State<Gateway>) -> HandlerResult<Vec<BlockedPlayer>> {
    let request = ListBlockedPlayersRequest {};
    let ids = gateway.upstreams().safety().list_blocked_players(request).await?;
    let ids = ids.into_inner().player_ids;
    let mut players = Vec::with_capacity(ids.len());
    for ids in ids.chunks(NAMES) {
        let names = gateway.public_players().find(gateway.upstreams(), ids).await;
        players.extend(ids.iter().map(|id| {
            let player = names.get(id);
            BlockedPlayer {
                user_id: id.clone(),
                username: player.and_then(|player| player.username.clone()),
                name: player.and_then(|player| player.name.clone()),
                former: names.is_gone(id),
                profile_pic: player.and_then(|player| player.profile_pic.clone()),
            }
        }));
    }
    Ok(Reply::ok(players))
}

/// `POST /profile/blocked-players`
pub(crate) async fn block(
    State(gateway): State<Gateway>,
    Body(body): Body<Block>,
) -> HandlerResult<()> {
    let request = BlockPlayerRequest { player_id: body.player_id };
    gateway.upstreams().safety().block_player(request).await?;
    Ok(Reply::ok(()))
}

/// `DELETE /profile/blocked-players/{id}`
pub(crate) async fn unblock(
    State(gateway): State<Gateway>,
    Segment(player_id): Segment,
) -> HandlerResult<()> {
    gateway.upstreams().safety().unblock_player(UnblockPlayerRequest { player_id }).await?;
    Ok(Reply::ok(()))
}

/// `GET /chat-rooms/{chatRoomUid}/sending`
pub(crate) async fn sending(
    State(gateway): State<Gateway>,
    Segment(chat_room_id): Segment,
) -> HandlerResult<SendingRules> {
    let request = GetSendingRulesRequest { chat_room_id };
    let rules = gateway.upstreams().safety().get_sending_rules(request).await?.into_inner();
    Ok(Reply::ok(SendingRules {
        closed: rules.closed,
        muted_seconds: rules.muted_seconds,
        slow_mode_seconds: rules.slow_mode_seconds,
        wait_seconds: rules.wait_seconds,
    }))
}

/// Parses a reason; an unknown one becomes unspecified, which svc-chat refuses.
fn parse_reason(text: &str) -> ReportReason {
    match text {
        "ABUSE" => ReportReason::Abuse,
        "HATE" => ReportReason::Hate,
        "SEXUAL" => ReportReason::Sexual,
        "SCAM" => ReportReason::Scam,
        "SPAM" => ReportReason::Spam,
        "OTHER" => ReportReason::Other,
        _ => ReportReason::Unspecified,
    }
}

request! {
    /// Why a message is reported.
    pub(crate) struct Report {
        /// ABUSE, HATE, SEXUAL, SCAM, SPAM or OTHER.
        reason: String = "reason",
        /// More about the report, at most 500 characters.
        note: Option<String> = "note",
    }
}

request! {
    /// A player to block.
    pub(crate) struct Block {
        /// The player's id.
        player_id: String = "userId",
    }
}

payloads!(BlockedPlayer, SendingRules);

/// A player whose messages the caller does not see. The names are null if the account is gone.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BlockedPlayer {
    user_id: String,
    username: Option<String>,
    name: Option<String>,
    /// Whether the account is gone.
    former: bool,
    profile_pic: Option<String>,
}

/// The rules that keep the caller from sending in a room now.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SendingRules {
    /// Whether the room takes no messages.
    closed: bool,
    /// Seconds for which the caller may not send; 0 if the caller may.
    muted_seconds: u32,
    /// Seconds between two messages of a player; 0 without slow mode.
    slow_mode_seconds: u32,
    /// Seconds until slow mode lets the caller send.
    wait_seconds: u32,
}
