//! Safety commands against a stub.

use std::sync::{Arc, Mutex};

use mesh::{edges::OPERATORS, grpc::client::connect_untraced};
use proto::chat::v1::{
    HideMessageResponse, ListReportsResponse, ListWordsResponse, MutePlayerResponse,
    ResolveReportResponse, SetRoomClosedResponse, SetSlowModeResponse, SetWordsResponse,
    safety_admin_service_server::{SafetyAdminService, SafetyAdminServiceServer},
};
use tonic::{Request, Response, service::Routes};
use types::Rng;

use super::*;

/// A stub that has 120 reports, keeps the requests as texts, and changes something only by the
/// first request.
#[derive(Clone, Default)]
struct Stub(Arc<Mutex<Vec<String>>>);

impl Stub {
    fn received(&self, request: impl std::fmt::Debug) -> bool {
        let mut received = self.0.lock().unwrap();
        received.push(format!("{request:?}"));
        received.len() == 1
    }
}

fn report(number: usize) -> Report {
    Report {
        id: format!("{number:03}"),
        reporter_id: "amina".to_owned(),
        reason: ReportReason::Scam.into(),
        note: "Asks for my PIN".to_owned(),
        created_at: Some(proto::timestamp(time::OffsetDateTime::UNIX_EPOCH)),
        message_id: "message".to_owned(),
        chat_room_id: "lobby".to_owned(),
        sender_id: "juma".to_owned(),
        text: "Send\u{1b}[2J your PIN".to_owned(),
        ..Report::default()
    }
}

#[tonic::async_trait]
impl SafetyAdminService for Stub {
    async fn list_reports(
        &self,
        request: Request<ListReportsRequest>,
    ) -> Result<Response<ListReportsResponse>, Status> {
        let ListReportsRequest { after_id, page_size, .. } = request.into_inner();
        let reports = (1..=120).map(report).filter(|report| report.id > after_id);
        let reports = reports.take(page_size as usize).collect();
        Ok(Response::new(ListReportsResponse { reports }))
    }

    async fn resolve_report(
        &self,
        request: Request<ResolveReportRequest>,
    ) -> Result<Response<ResolveReportResponse>, Status> {
        let changed = self.received(request.into_inner());
        Ok(Response::new(ResolveReportResponse { changed }))
    }

    async fn hide_message(
        &self,
        request: Request<HideMessageRequest>,
    ) -> Result<Response<HideMessageResponse>, Status> {
        let changed = self.received(request.into_inner());
        Ok(Response::new(HideMessageResponse { changed }))
    }

    async fn mute_player(
        &self,
        request: Request<MutePlayerRequest>,
    ) -> Result<Response<MutePlayerResponse>, Status> {
        let changed = self.received(request.into_inner());
        Ok(Response::new(MutePlayerResponse { changed }))
    }

    async fn set_room_closed(
        &self,
        request: Request<SetRoomClosedRequest>,
    ) -> Result<Response<SetRoomClosedResponse>, Status> {
        let changed = self.received(request.into_inner());
        Ok(Response::new(SetRoomClosedResponse { changed }))
    }

    async fn set_slow_mode(
        &self,
        request: Request<SetSlowModeRequest>,
    ) -> Result<Response<SetSlowModeResponse>, Status> {
        let changed = self.received(request.into_inner());
        Ok(Response::new(SetSlowModeResponse { changed }))
    }

    async fn set_words(
        &self,
        request: Request<SetWordsRequest>,
    ) -> Result<Response<SetWordsResponse>, Status> {
        let changed = self.received(request.into_inner());
        Ok(Response::new(SetWordsResponse { changed }))
    }

    async fn list_words(
        &self,
        _: Request<ListWordsRequest>,
    ) -> Result<Response<ListWordsResponse>, Status> {
        Ok(Response::new(ListWordsResponse { words: vec!["fala".to_owned()] }))
    }
}

async fn printed(stub: &Stub, command: Command) -> String {
    let routes = Routes::new(SafetyAdminServiceServer::new(stub.clone()));
    let url = testkit::serve("svc-chat", routes).await;
    let certificates = testkit::certificates(OPERATORS);
    let connection = connect_untraced(&url, "svc-chat", certificates, Rng::system()).unwrap();
    let mut out = Vec::new();
    run_over(connection, command, &mut out).await.unwrap();
    String::from_utf8(out).unwrap()
}

fn why() -> Why {
    Why { reason: "insults".to_owned() }
}

#[tokio::test]
async fn reports_are_printed_over_pages_up_to_the_limit() {
    let list = |limit| Command::Reports { after: None, limit, all: false };
    let text = printed(&Stub::default(), list(500)).await;
    assert_eq!(text.matches("by amina").count(), 120);
    let first: Vec<_> = text.lines().take(3).collect();
    assert_eq!(
        first,
        [
            "001  scam, 1970-01-01T00:00:00Z, by amina",
            "  message message of juma in room lobby: Send\\u{1b}[2J your PIN",
            "  note: Asks for my PIN",
        ]
    );
    let text = printed(&Stub::default(), list(101)).await;
    assert_eq!(text.matches("by amina").count(), 101);
    let after = Command::Reports { after: Some("118".to_owned()), limit: 50, all: true };
    assert_eq!(printed(&Stub::default(), after).await.matches("by amina").count(), 2);
}

#[tokio::test]
async fn each_operation_is_sent_with_its_reason() {
    let stub = Stub::default();
    let hide = || Command::Hide { message: "m".to_owned(), why: why() };
    assert_eq!(printed(&stub, hide()).await, "hidden    message m\n");
    assert_eq!(printed(&stub, hide()).await, "unchanged message m\n");
    let player = || "juma".to_owned();
    let room = || "lobby".to_owned();
    for (command, sent) in [
        (
            Command::Resolve { report: "r".to_owned(), why: why() },
            "ResolveReportRequest { id: \"r\"",
        ),
        (
            Command::Mute { player: player(), room: Some(room()), minutes: 2, why: why() },
            "chat_room_id: \"lobby\", seconds: 120",
        ),
        (
            Command::Unmute { player: player(), room: None, why: why() },
            "chat_room_id: \"\", seconds: 0",
        ),
        (Command::Close { room: room(), why: why() }, "closed: true"),
        (Command::Open { room: room(), why: why() }, "closed: false"),
        (Command::SlowMode { room: room(), seconds: 30, why: why() }, "seconds: 30"),
    ] {
        printed(&stub, command).await;
        let last = stub.0.lock().unwrap().last().cloned().unwrap();
        assert!(last.contains(sent) && last.contains("reason: \"insults\""), "{last}");
    }
}

#[tokio::test]
async fn words_come_from_a_file_with_one_a_line() {
    let stub = Stub::default();
    let file = std::env::temp_dir().join(format!("playonctl-words-{}", std::process::id()));
    std::fs::write(&file, "# Sheng\nfala\n\n  mjinga \n").unwrap();
    let set = Command::SetWords { file: file.clone(), why: why() };
    let text = printed(&stub, set).await;
    std::fs::remove_file(&file).unwrap();
    assert_eq!(text, "set       2 words\n");
    assert!(stub.0.lock().unwrap()[0].contains("[\"fala\", \"mjinga\"]"));
    assert_eq!(printed(&stub, Command::Words).await, "fala\n");
}
