//! Reports, blocks, and operators' rules for rooms.

use std::time::Duration;

use proto::chat::v1::{
    BlockPlayerRequest, ChatContentKind, DeleteMessageRequest, GetSendingRulesRequest,
    GetSendingRulesResponse, HideMessageRequest, ListBlockedPlayersRequest, ListReportsRequest,
    ListWordsRequest, MutePlayerRequest, Report, ReportMessageRequest, ReportReason,
    ResolveReportRequest, SetRoomClosedRequest, SetSlowModeRequest, SetWordsRequest,
    UnblockPlayerRequest, watch_rooms_response::Event,
};
use tonic::{Code, Status};

use crate::{
    content::lobby,
    harness::{Service, reason, signed},
    talk::text,
};

const WHY: &str = "insults";

impl Service {
    pub(crate) async fn report(&self, token: &str, message_id: &str) -> Result<(), Status> {
        let request = ReportMessageRequest {
            message_id: message_id.into(),
            reason: ReportReason::Abuse.into(),
            note: " He insults me ".into(),
        };
        self.safety.clone().report_message(signed(token, request)).await.map(drop)
    }

    async fn reports(&self, after_id: &str, include_resolved: bool) -> Vec<Report> {
        let request =
            ListReportsRequest { after_id: after_id.into(), page_size: 2, include_resolved };
        let reply = self.safety_admin.clone().list_reports(request).await.unwrap();
        reply.into_inner().reports
    }

    pub(crate) async fn block(&self, token: &str, player_id: &str) -> Result<(), Status> {
        let request = BlockPlayerRequest { player_id: player_id.into() };
        self.safety.clone().block_player(signed(token, request)).await.map(drop)
    }

    async fn unblock(&self, token: &str, player_id: &str) {
        let request = UnblockPlayerRequest { player_id: player_id.into() };
        self.safety.clone().unblock_player(signed(token, request)).await.unwrap();
    }

    async fn blocked_by(&self, token: &str) -> Vec<String> {
        let request = signed(token, ListBlockedPlayersRequest {});
        let reply = self.safety.clone().list_blocked_players(request).await.unwrap();
        reply.into_inner().player_ids
    }

    async fn rules(&self, token: &str) -> GetSendingRulesResponse {
        let request = GetSendingRulesRequest { chat_room_id: "lobby".into() };
        let reply = self.safety.clone().get_sending_rules(signed(token, request)).await;
        reply.unwrap().into_inner()
    }

    async fn mute(&self, player_id: &str, room: &str, seconds: u32) -> bool {
        let request = MutePlayerRequest {
            player_id: player_id.into(),
            chat_room_id: room.into(),
            seconds,
            reason: WHY.into(),
        };
        self.safety_admin.clone().mute_player(request).await.unwrap().into_inner().changed
    }

    pub(crate) async fn close(&self, closed: bool) -> bool {
        let request =
            SetRoomClosedRequest { chat_room_id: "lobby".into(), closed, reason: WHY.into() };
        self.safety_admin.clone().set_room_closed(request).await.unwrap().into_inner().changed
    }

    async fn slow_mode(&self, seconds: u32) -> Result<bool, Status> {
        let request =
            SetSlowModeRequest { chat_room_id: "lobby".into(), seconds, reason: WHY.into() };
        Ok(self.safety_admin.clone().set_slow_mode(request).await?.into_inner().changed)
    }

    async fn set_words(&self, words: &[&str]) -> Result<bool, Status> {
        let words = words.iter().map(|&word| word.to_owned()).collect();
        let request = SetWordsRequest { words, reason: WHY.into() };
        Ok(self.safety_admin.clone().set_words(request).await?.into_inner().changed)
    }

    pub(crate) async fn hide(&self, message_id: &str, why: &str) -> Result<bool, Status> {
        let request = HideMessageRequest { message_id: message_id.into(), reason: why.into() };
        Ok(self.safety_admin.clone().hide_message(request).await?.into_inner().changed)
    }

    /// Operator, action and reason of each audited action, sorted by action.
    async fn actions(&self) -> Vec<(String, String, String)> {
        let query = "SELECT operator, action, reason FROM safety_action ORDER BY action";
        sqlx::query_as(query).fetch_all(&self.database.pool).await.unwrap()
    }

    async fn texts(&self, token: &str) -> Vec<String> {
        let page = self.page(token, "lobby", 0).await.unwrap();
        page.messages.into_iter().map(|message| message.text).collect()
    }

    async fn refused(&self, token: &str, id: &str) -> (Code, String, Option<Duration>) {
        let refused = self.send(token, text("lobby", "Habari", id)).await.unwrap_err();
        let fault = mesh::Fault::from_status(&refused);
        (refused.code(), fault.reason.into_owned(), fault.retry_after)
    }
}

#[tokio::test]
async fn a_report_keeps_the_message_that_its_sender_removes() {
    let service = Service::start().await;
    service.open_room("lobby").await;
    let ((sender, token), (reporter, other)) =
        (service.member("lobby").await, service.member("lobby").await);
    let sent = service.send(&token, text("lobby", "An insult", "1")).await.unwrap();
    service.report(&other, &sent.id).await.unwrap();
    let remove = DeleteMessageRequest { id: sent.id.clone() };
    service.client.clone().delete_message(signed(&token, remove)).await.unwrap();
    // A repeat changes nothing, although the message is gone.
    service.report(&other, &sent.id).await.unwrap();

    let reports = service.reports("", false).await;
    assert_eq!(reports.len(), 1);
    let report = &reports[0];
    assert_eq!((&*report.text, &*report.note), ("An insult", "He insults me"));
    assert_eq!(
        (&report.sender_id, &report.reporter_id),
        (&sender.to_string(), &reporter.to_string())
    );
    assert_eq!(report.reason(), ReportReason::Abuse);

    let resolve = ResolveReportRequest { id: report.id.clone(), reason: WHY.into() };
    let mut admin = service.safety_admin.clone();
    assert!(admin.resolve_report(resolve.clone()).await.unwrap().into_inner().changed);
    assert!(!admin.resolve_report(resolve).await.unwrap().into_inner().changed);
    assert_eq!(service.reports("", false).await, []);
    let resolved = service.reports("", true).await.remove(0);
    assert_eq!((&*resolved.resolved_by, &*resolved.resolution), ("playonctl", WHY));
    let unknown = ResolveReportRequest { id: sent.id, reason: WHY.into() };
    assert_eq!(reason(&admin.resolve_report(unknown).await.unwrap_err()), "REPORT_NOT_FOUND");
}

#[tokio::test]
async fn only_what_a_member_reads_of_others_is_reported_and_not_without_end() {
    let service = Service::start().await;
    service.open_room("lobby").await;
    let ((_, token), (reporter, other)) =
        (service.member("lobby").await, service.member("lobby").await);
    let (_, stranger) = service.tokens.player();
    let sent = service.send(&token, text("lobby", "Habari", "1")).await.unwrap();
    for (token, id) in [(&token, &*sent.id), (&stranger, &*sent.id), (&other, "nothing")] {
        let refused = service.report(token, id).await.unwrap_err();
        assert_eq!((refused.code(), &*reason(&refused)), (Code::NotFound, "MESSAGE_NOT_FOUND"));
    }
    service.send_many(&token, "lobby", 2..23).await;
    let page = service.page(&token, "lobby", 0).await.unwrap().messages;
    for message in &page[..20] {
        service.report(&other, &message.id).await.unwrap();
    }
    let refused = service.report(&other, &page[20].id).await.unwrap_err();
    assert_eq!((refused.code(), &*reason(&refused)), (Code::ResourceExhausted, "RATE_LIMITED"));
    service.clock.advance(Duration::from_hours(1) + Duration::from_secs(1));
    let other = service.tokens.token(reporter);
    service.report(&other, &page[20].id).await.unwrap();
    // Pages go on after the last report that the operator has.
    let mut seen = 0;
    let mut last = String::new();
    loop {
        let page = service.reports(&last, false).await;
        let Some(report) = page.last() else { break };
        seen += page.len();
        last.clone_from(&report.id);
    }
    assert_eq!(seen, 21);
}

#[tokio::test]
async fn a_blocked_players_messages_are_hidden_on_pages_and_streams() {
    let service = Service::start().await;
    let replica = service.start_replica().await;
    service.open_room("lobby").await;
    let ((sender, token), (own, other)) =
        (service.member("lobby").await, service.member("lobby").await);
    let sender = sender.to_string();
    service.send(&token, text("lobby", "one", "1")).await.unwrap();
    let mut open = replica.watch_room(&other, "lobby", 1).await.unwrap();
    open.counts(2, 1).await;

    service.block(&other, &sender).await.unwrap();
    service.block(&other, &sender).await.unwrap();
    assert_eq!(service.blocked_by(&other).await, std::slice::from_ref(&sender));
    assert_eq!(service.texts(&other).await, Vec::<String>::new());
    assert_eq!(service.texts(&token).await, ["one"]);
    let mut stream = service.watch_room(&other, "lobby", 0).await.unwrap();
    assert!(matches!(stream.next_of_messages().await, Event::Removal(removal) if removal.seq == 1));
    // The stream that is already open at another replica applies the block, too.
    for id in 2..100 {
        service.send(&token, text("lobby", "more", &id.to_string())).await.unwrap();
        if matches!(open.next_of_messages().await, Event::Removal(_)) {
            break;
        }
        assert_ne!(id, 99, "the open stream still has the messages");
    }

    service.unblock(&other, &sender).await;
    service.unblock(&other, &sender).await;
    assert_eq!(service.blocked_by(&other).await, Vec::<String>::new());
    assert_eq!(service.texts(&other).await[0], "one");
    for bad in [own.to_string(), "no-id".to_owned()] {
        let refused = service.block(&other, &bad).await.unwrap_err();
        assert_eq!(reason(&refused), "INVALID_ARGUMENT", "{bad}");
    }
}

#[tokio::test]
async fn a_player_blocks_at_most_200_others() {
    let service = Service::start().await;
    let (_, token) = service.tokens.player();
    for _ in 0..200 {
        service.block(&token, &service.tokens.player().0.to_string()).await.unwrap();
    }
    let other = service.tokens.player().0.to_string();
    let refused = service.block(&token, &other).await.unwrap_err();
    assert_eq!(reason(&refused), "TOO_MANY_BLOCKED");
    let first = service.blocked_by(&token).await.remove(0);
    service.block(&token, &first).await.unwrap();
    service.unblock(&token, &first).await;
    service.block(&token, &other).await.unwrap();
}

#[tokio::test]
async fn a_muted_player_reads_and_does_not_send_until_the_time_is_over() {
    let service = Service::start().await;
    service.open_room("lobby").await;
    service.open_room("ajua").await;
    let (player, token) = service.member("lobby").await;
    service.join(&token, "ajua").await.unwrap();
    let player = player.to_string();
    let first = service.send(&token, text("lobby", "Habari", "0")).await.unwrap();
    assert!(service.mute(&player, "lobby", 60).await);
    assert_eq!(
        service.refused(&token, "1").await,
        (Code::PermissionDenied, "MUTED".into(), Some(Duration::from_mins(1)))
    );
    assert_eq!(service.rules(&token).await.muted_seconds, 60);
    // A repeat of a message that was sent before the mute still returns that message.
    assert_eq!(service.send(&token, text("lobby", "Habari", "0")).await.unwrap(), first);
    service.send(&token, text("ajua", "Habari", "1")).await.unwrap();
    assert_eq!(service.texts(&token).await, ["Habari"]);
    service.clock.advance(Duration::from_mins(1));
    service.send(&token, text("lobby", "Habari", "1")).await.unwrap();

    assert!(service.mute(&player, "", 3_600).await);
    let refused = service.send(&token, text("ajua", "Habari", "2")).await.unwrap_err();
    assert_eq!(reason(&refused), "MUTED");
    assert!(service.mute(&player, "", 0).await);
    assert!(!service.mute(&player, "", 0).await);
    service.send(&token, text("ajua", "Habari", "2")).await.unwrap();
    let by = |action: &str| ("playonctl".to_owned(), action.to_owned(), WHY.to_owned());
    assert_eq!(service.actions().await, [by("MutePlayer"), by("MutePlayer"), by("UnmutePlayer")]);
}

#[tokio::test]
async fn a_closed_room_is_read_and_takes_no_messages() {
    let service = Service::start().await;
    service.open_room("lobby").await;
    let (_, token) = service.member("lobby").await;
    service.send(&token, text("lobby", "Habari", "1")).await.unwrap();
    assert!(!service.close(false).await, "it is open");
    assert!(service.close(true).await);
    assert!(!service.close(true).await);
    let (code, reason, _) = service.refused(&token, "2").await;
    assert_eq!((code, &*reason), (Code::PermissionDenied, "ROOM_CLOSED"));
    assert!(service.rules(&token).await.closed);
    assert_eq!(service.texts(&token).await, ["Habari"]);
    assert!(service.close(false).await);
    assert_eq!(service.send(&token, text("lobby", "Habari", "2")).await.unwrap().seq, 2);
}

#[tokio::test]
async fn slow_mode_has_each_player_wait_over_all_replicas() {
    let service = Service::start().await;
    let replica = service.start_replica().await;
    service.open_room("lobby").await;
    let ((_, token), (_, other)) = (service.member("lobby").await, service.member("lobby").await);
    assert!(service.slow_mode(30).await.unwrap());
    assert!(!service.slow_mode(30).await.unwrap());
    assert_eq!(service.slow_mode(3_601).await.unwrap_err().code(), Code::InvalidArgument);
    let first = service.send(&token, text("lobby", "Habari", "1")).await.unwrap();
    assert_eq!(replica.send(&token, text("lobby", "Habari", "1")).await.unwrap(), first);
    service.clock.advance(Duration::from_secs(10));
    assert_eq!(
        replica.refused(&token, "2").await,
        (Code::ResourceExhausted, "SLOW_MODE".into(), Some(Duration::from_secs(20)))
    );
    let rules = service.rules(&token).await;
    assert_eq!((rules.slow_mode_seconds, rules.wait_seconds), (30, 20));
    service.send(&other, text("lobby", "Habari", "1")).await.unwrap();
    service.clock.advance(Duration::from_secs(20));
    // One of several concurrent messages gets the turn.
    let sends = ["2", "3", "4", "5"].map(|id| {
        let service = if id == "3" { &replica } else { &service };
        service.send(&token, text("lobby", "Habari", id))
    });
    let sent = futures_util::future::join_all(sends).await;
    assert_eq!(sent.iter().filter(|sent| sent.is_ok()).count(), 1);
    assert!(service.slow_mode(0).await.unwrap());
    service.send(&token, text("lobby", "Habari", "6")).await.unwrap();
}

#[tokio::test]
async fn a_message_with_a_word_of_the_filter_is_refused() {
    let service = Service::start().await;
    let replica = service.start_replica().await;
    service.open_room("lobby").await;
    let (_, token) = service.member("lobby").await;
    let first = service.send(&token, text("lobby", "mjinga", "0")).await.unwrap();
    replica.send(&token, text("lobby", "Habari", "9")).await.unwrap();
    assert!(service.set_words(&["Mjinga", "fala"]).await.unwrap());
    assert!(!service.set_words(&["fala", "mjinga"]).await.unwrap());
    let refused = service.send(&token, text("lobby", "Wewe ni MJ1NGA!", "1")).await.unwrap_err();
    assert_eq!((refused.code(), &*reason(&refused)), (Code::InvalidArgument, "WORD_NOT_ALLOWED"));
    service.send(&token, text("lobby", "falasha", "1")).await.unwrap();
    assert_eq!(service.send(&token, text("lobby", "mjinga", "0")).await.unwrap(), first);
    // The other replica has the words within 10 s.
    service.clock.advance(Duration::from_secs(10));
    let refused = replica.send(&token, text("lobby", "fala", "2")).await.unwrap_err();
    assert_eq!(reason(&refused), "WORD_NOT_ALLOWED");
    let refused = service.set_words(&["two words"]).await.unwrap_err();
    assert_eq!(reason(&refused), "INVALID_CONTENT");
    let words = service.safety_admin.clone().list_words(ListWordsRequest {}).await.unwrap();
    assert_eq!(words.into_inner().words, ["fala", "mjinga"]);
}

#[tokio::test]
async fn a_hidden_message_is_erased_for_all_and_kept_as_evidence() {
    let service = Service::start().await;
    service.open_room("lobby").await;
    let (_, token) = service.member("lobby").await;
    let sent = service.send(&token, text("lobby", "An insult", "1")).await.unwrap();
    let mut stream = service.watch_room(&token, "lobby", 1).await.unwrap();
    assert_eq!(reason(&service.hide(&sent.id, " ").await.unwrap_err()), "INVALID_CONTENT");
    assert!(service.hide(&sent.id, WHY).await.unwrap());
    assert!(!service.hide(&sent.id, WHY).await.unwrap());
    assert!(
        matches!(stream.next_of_messages().await, Event::Removal(removal) if removal.id == sent.id)
    );
    assert_eq!(service.texts(&token).await, Vec::<String>::new());
    let kept: String = sqlx::query_scalar("SELECT content FROM hidden_message")
        .fetch_one(&service.database.pool)
        .await
        .unwrap();
    assert_eq!(kept, "An insult");
    let by = ("playonctl".to_owned(), "HideMessage".to_owned(), WHY.to_owned());
    assert_eq!(service.actions().await, [by]);
    let audit: String = sqlx::query_scalar("SELECT details::text FROM safety_action")
        .fetch_one(&service.database.pool)
        .await
        .unwrap();
    assert!(!audit.contains("insult"), "what players wrote is not kept for good: {audit}");
    service.database.assert_append_only("safety_action").await;
}

#[tokio::test]
async fn a_message_of_a_removed_room_stays_hidden_when_the_room_is_opened_again() {
    let service = Service::start().await;
    service.apply_room(lobby(), false).await.unwrap();
    let (_, token) = service.member("lobby").await;
    let sent = service.send(&token, text("lobby", "An insult", "1")).await.unwrap();
    service.send(&token, text("lobby", "Poa", "2")).await.unwrap();
    service.delete(ChatContentKind::Room, "lobby", false).await;

    assert!(service.hide(&sent.id, WHY).await.unwrap());
    assert!(!service.hide(&sent.id, WHY).await.unwrap());
    service.apply_room(lobby(), false).await.unwrap();
    service.join(&token, "lobby").await.unwrap();
    assert_eq!(service.texts(&token).await, ["Poa"]);
    assert_eq!(service.actions().await.len(), 1);
}
