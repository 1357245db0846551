//! `playon.chat.v1.SafetyAdminService`.

use std::time::Duration;

use mesh::auth::operator;
use proto::{
    chat::v1::{
        HideMessageRequest, HideMessageResponse, ListReportsRequest, ListReportsResponse,
        ListWordsRequest, ListWordsResponse, MutePlayerRequest, MutePlayerResponse,
        Report as WireReport, ReportReason as WireReason, ResolveReportRequest,
        ResolveReportResponse, SetRoomClosedRequest, SetRoomClosedResponse, SetSlowModeRequest,
        SetSlowModeResponse, SetWordsRequest, SetWordsResponse,
        safety_admin_service_server::SafetyAdminService,
    },
    timestamp,
    types::v1::ChatType as WireType,
};
use tonic::{Request, Response, Status};
use types::{InvalidContent, PlayerId};

use super::decode_rooms;
use crate::{
    app::{self, By, Cx},
    domain::{MUTE_MAX, Report, ReportId, ReportReason, SLOW_MODE_MAX, parse_reason},
    error::{Error, Refused},
};

/// Reports of a page.
const PAGE_MAX: u32 = 100;
const PAGE_DEFAULT: u32 = 50;

/// RPCs for operators.
pub(super) struct SafetyAdmin(pub(super) Cx);

#[tonic::async_trait]
impl SafetyAdminService for SafetyAdmin {
    async fn list_reports(
        &self,
        request: Request<ListReportsRequest>,
    ) -> Result<Response<ListReportsResponse>, Status> {
        operator(&request)?;
        let request = request.into_inner();
        let after = match request.after_id.as_str() {
            "" => None,
            id => Some(report_id(id)?),
        };
        let size = if request.page_size == 0 { PAGE_DEFAULT } else { request.page_size };
        if size > PAGE_MAX {
            return Err(invalid("page_size", "is at most 100").into());
        }
        let reports = app::list_reports(&self.0, after, request.include_resolved, size).await?;
        let reports = reports.into_iter().map(Into::into).collect();
        Ok(Response::new(ListReportsResponse { reports }))
    }

    async fn resolve_report(
        &self,
        request: Request<ResolveReportRequest>,
    ) -> Result<Response<ResolveReportResponse>, Status> {
        let by = by(&request, &request.get_ref().reason)?;
        let id = report_id(&request.get_ref().id)?;
        let changed = app::resolve_report(&self.0, &by, id).await?;
        Ok(Response::new(ResolveReportResponse { changed }))
    }

    async fn hide_message(
        &self,
        request: Request<HideMessageRequest>,
    ) -> Result<Response<HideMessageResponse>, Status> {
        let by = by(&request, &request.get_ref().reason)?;
        let id = decode_rooms::message_id(&request.get_ref().message_id).map_err(Error::from)?;
        let changed = app::hide_message(&self.0, &by, id).await?;
        Ok(Response::new(HideMessageResponse { changed }))
    }

    async fn mute_player(
        &self,
        request: Request<MutePlayerRequest>,
    ) -> Result<Response<MutePlayerResponse>, Status> {
        let by = by(&request, &request.get_ref().reason)?;
        let MutePlayerRequest { player_id, chat_room_id, seconds, .. } = request.get_ref();
        let player = PlayerId::parse(player_id);
        let player = player.map_err(|_| invalid("player_id", "is no id of a player"))?;
        if *seconds > MUTE_MAX {
            return Err(invalid("seconds", "is at most 31,536,000, a year").into());
        }
        let room = Some(chat_room_id.as_str()).filter(|room| !room.is_empty());
        let time = (*seconds > 0).then(|| Duration::from_secs((*seconds).into()));
        let changed = app::mute_player(&self.0, &by, player, room, time).await?;
        Ok(Response::new(MutePlayerResponse { changed }))
    }

    async fn set_room_closed(
        &self,
        request: Request<SetRoomClosedRequest>,
    ) -> Result<Response<SetRoomClosedResponse>, Status> {
        let by = by(&request, &request.get_ref().reason)?;
        let SetRoomClosedRequest { chat_room_id, closed, .. } = request.get_ref();
        let changed = app::set_room_closed(&self.0, &by, chat_room_id, *closed).await?;
        Ok(Response::new(SetRoomClosedResponse { changed }))
    }

    async fn set_slow_mode(
        &self,
        request: Request<SetSlowModeRequest>,
    ) -> Result<Response<SetSlowModeResponse>, Status> {
        let by = by(&request, &request.get_ref().reason)?;
        let SetSlowModeRequest { chat_room_id, seconds, .. } = request.get_ref();
        if *seconds > SLOW_MODE_MAX {
            return Err(invalid("seconds", "is at most 3,600, an hour").into());
        }
        let changed = app::set_slow_mode(&self.0, &by, chat_room_id, *seconds).await?;
        Ok(Response::new(SetSlowModeResponse { changed }))
    }

    async fn set_words(
        &self,
        request: Request<SetWordsRequest>,
    ) -> Result<Response<SetWordsResponse>, Status> {
        let by = by(&request, &request.get_ref().reason)?;
        let changed = app::set_words(&self.0, &by, &request.get_ref().words).await?;
        Ok(Response::new(SetWordsResponse { changed }))
    }

    async fn list_words(
        &self,
        request: Request<ListWordsRequest>,
    ) -> Result<Response<ListWordsResponse>, Status> {
        operator(&request)?;
        let words = app::list_words(&self.0).await?;
        Ok(Response::new(ListWordsResponse { words }))
    }
}

/// The operator who acts, and the reason.
fn by<T>(request: &Request<T>, reason: &str) -> Result<By, Status> {
    let operator = operator(request)?;
    let reason = parse_reason(reason).map_err(|error| Error::from(Refused::from(error)))?;
    Ok(By { operator, reason })
}

fn invalid(field: &'static str, problem: &str) -> Error {
    Refused::from(InvalidContent::new(field, problem)).into()
}

fn report_id(text: &str) -> Result<ReportId, Error> {
    ReportId::parse(text).map_err(|_| Refused::ReportNotFound.into())
}

impl From<Report> for WireReport {
    fn from(report: Report) -> Self {
        let (resolved_by, resolution) = report.resolved.unwrap_or_default();
        let reason = match report.reason {
            ReportReason::Abuse => WireReason::Abuse,
            ReportReason::Hate => WireReason::Hate,
            ReportReason::Sexual => WireReason::Sexual,
            ReportReason::Scam => WireReason::Scam,
            ReportReason::Spam => WireReason::Spam,
            ReportReason::Other => WireReason::Other,
        };
        Self {
            id: report.id.to_string(),
            reporter_id: report.reporter.to_string(),
            reason: reason.into(),
            note: report.note,
            created_at: Some(timestamp(report.created_at)),
            message_id: report.message.to_string(),
            chat_room_id: report.room.to_string(),
            sender_id: report.sender.to_string(),
            chat_type: WireType::from(report.chat_type).into(),
            text: report.text,
            sent_at: Some(timestamp(report.sent_at)),
            resolved_by,
            resolution,
        }
    }
}
