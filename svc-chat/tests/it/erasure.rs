//! Erased accounts: which rows are deleted, and which stay.

use std::collections::{BTreeMap, BTreeSet};

use proto::chat::v1::{
    ChatContentKind, GetNotificationSettingsRequest, SendFeedbackRequest,
    UpdateNotificationSettingsRequest, support_service_client::SupportServiceClient,
    watch_rooms_response::Event,
};
use testkit::eventually;
use types::PlayerId;
use uuid::Uuid;

use crate::{
    content::lobby,
    harness::{Service, signed},
    talk::text,
};

/// Columns that name a player, whose rows an erasure deletes.
const DELETED: [&str; 7] = [
    "feedback.player_id",
    "membership.player_id",
    "notification.player_id",
    "notification_setting.player_id",
    "player_block.blocked_id",
    "player_block.player_id",
    "push_subscription.player_id",
];
/// Columns that name a player, whose rows stay: messages without their content, evidence, rows that
/// are swept within an hour, and the erasure's own progress.
const STAYING: [&str; 10] = [
    "erasure_progress.last_id",
    "erasure_progress.page_end_id",
    "hidden_message.sender_id",
    "mention_notice.player_ids",
    "mention_notice.sender_id",
    "message.player_id",
    "message_report.reporter_id",
    "message_report.sender_id",
    "player_mute.player_id",
    "slow_mode_turn.player_id",
];
/// The UUID columns, without the ids of rooms, messages, sessions and the rows themselves.
async fn columns(service: &Service) -> Vec<(String, String)> {
    let columns = sqlx::query_as(
        "SELECT table_name::text, column_name::text FROM information_schema.columns
         WHERE table_schema = 'public' AND udt_name IN ('uuid', '_uuid')
             AND column_name NOT IN ('room_id', 'message_id', 'session_id', 'id') ORDER BY 1, 2",
    );
    columns.fetch_all(&service.database.pool).await.unwrap()
}

#[tokio::test]
async fn each_column_that_names_a_player_is_known_to_the_erasure() {
    let service = Service::start().await;
    let columns: BTreeSet<String> =
        columns(&service).await.iter().map(|(table, name)| format!("{table}.{name}")).collect();
    let known = DELETED.iter().chain(&STAYING).map(ToString::to_string);
    assert_eq!(columns, known.collect());
}

/// The number of rows that name a player, by column.
async fn naming(service: &Service, player: PlayerId) -> BTreeMap<String, i64> {
    let mut naming = BTreeMap::new();
    for (table, column) in columns(service).await {
        let query =
            format!("SELECT count(*) FROM {table} WHERE $1 = ANY (ARRAY[]::uuid[] || {column})");
        let rows: i64 = sqlx::query_scalar(sqlx::AssertSqlSafe(query))
            .bind(player.uuid())
            .fetch_one(&service.database.pool)
            .await
            .unwrap();
        if rows > 0 {
            naming.insert(format!("{table}.{column}"), rows);
        }
    }
    naming
}

/// Starts another replica, which looks for erased players when it starts, and waits until it has
/// erased all up to this player.
async fn erase_until(service: &Service, last: PlayerId) {
    let replica = service.start_replica().await;
    eventually("the erasure", || async {
        let done: Option<Uuid> = sqlx::query_scalar("SELECT last_id FROM erasure_progress")
            .fetch_optional(&service.database.pool)
            .await
            .unwrap();
        (done == Some(last.uuid())).then_some(())
    })
    .await;
    assert!(replica.running.stop().await, "drained");
}

#[tokio::test]
async fn of_an_erased_player_only_evidence_and_messages_without_words_are_left() {
    let service = Service::start().await;
    service.open_room("lobby").await;
    service.open_room("cup").await;
    let (leaving, token) = service.member("lobby").await;
    service.join(&token, "cup").await.unwrap();
    let (amina, amina_token) = service.member("lobby").await;
    service.players.name(leaving, "leaving");
    service.players.name(amina, "amina");
    service.block(&token, &amina.to_string()).await.unwrap();
    let (blocker, blocker_token) = service.tokens.player();
    service.block(&blocker_token, &leaving.to_string()).await.unwrap();
    service.notify(service.credited(leaving, "payment/1")).await.unwrap();
    write_to_support(&service, &token).await;
    mute_topics(&service, &token).await;
    subscribe(&service, leaving).await;
    let reported = service.send(&token, text("lobby", "An insult", "m-1")).await.unwrap();
    service.report(&amina_token, &reported.id).await.unwrap();
    service.send(&token, text("lobby", "Habari", "m-2")).await.unwrap();
    service.send(&token, text("cup", "Twende!", "m-3")).await.unwrap();
    service.send(&amina_token, text("lobby", "Poa", "m-1")).await.unwrap();
    let before = naming(&service, leaving).await;
    assert!(DELETED.iter().all(|column| before.contains_key(*column)), "one in each: {before:?}");
    let others = naming(&service, amina).await;
    let mut stream = service.watch_room(&amina_token, "lobby", 3).await.unwrap();

    service.players.erase(leaving);
    erase_until(&service, leaving).await;

    let left = [
        ("erasure_progress.last_id", 1),
        ("message.player_id", 3),
        ("message_report.sender_id", 1),
    ];
    let left = left.map(|(column, rows)| (column.to_owned(), rows));
    assert_eq!(naming(&service, leaving).await, BTreeMap::from(left));
    assert_eq!(service.count("SELECT count(*) FROM message WHERE content <> ''").await, 1);
    assert_eq!(service.count("SELECT count(*) FROM message_report").await, 1);
    assert_eq!(service.count("SELECT count(*) FROM player_block").await, 0);
    let page = service.page(&amina_token, "lobby", 0).await.unwrap();
    assert_eq!(page.messages.len(), 1);
    let expected = others.into_iter().filter(|(column, _)| column != "player_block.blocked_id");
    assert_eq!(naming(&service, amina).await, expected.collect());
    assert_eq!(naming(&service, blocker).await, BTreeMap::new());
    // Open streams get the change: two removals and the count, in any order.
    let (mut removals, mut is_counted) = (0, false);
    while removals < 2 || !is_counted {
        match stream.next().await.unwrap().1 {
            Event::Removal(_) => removals += 1,
            Event::Counts(counts) => is_counted |= counts.members == 1,
            Event::Messages(message) => panic!("a message: {message:?}"),
        }
    }
}

async fn write_to_support(service: &Service, token: &str) {
    let feedback = SendFeedbackRequest {
        email: "wanjiru@example.com".to_owned(),
        subject: "Duma".to_owned(),
        message: "Nimeipenda sana.".to_owned(),
        client_feedback_id: "f-1".to_owned(),
    };
    let mut client = SupportServiceClient::new(service.as_gateway());
    client.send_feedback(signed(token, feedback)).await.unwrap();
}

async fn mute_topics(service: &Service, token: &str) {
    let request = signed(token, GetNotificationSettingsRequest {});
    let settings = service.pushes().get_notification_settings(request).await;
    let settings = settings.unwrap().into_inner().settings;
    let request = UpdateNotificationSettingsRequest { settings };
    service.pushes().update_notification_settings(signed(token, request)).await.unwrap();
}

async fn subscribe(service: &Service, player: PlayerId) {
    sqlx::query(
        "INSERT INTO push_subscription (id, player_id, session_id, endpoint, p256dh, auth,
             language, created_at, refreshed_at)
         VALUES (gen_random_uuid(), $1, gen_random_uuid(), 'https://push.example/1',
             sha512('1') || '\x01'::bytea, substr(sha256('1'), 1, 16), 'sw', $2, $2)",
    )
    .bind(player.uuid())
    .bind(service.clock.now())
    .execute(&service.database.pool)
    .await
    .unwrap();
}

#[tokio::test]
async fn the_notifications_of_an_erased_players_mentions_go_too() {
    let service = Service::start().await;
    service.open_room("lobby").await;
    let (leaving, token) = service.member("lobby").await;
    let (amina, amina_token) = service.member("lobby").await;
    service.players.name(leaving, "leaving");
    service.players.name(amina, "amina");
    service.send(&token, text("lobby", "Habari @amina", "m-1")).await.unwrap();
    eventually("the mention", || async {
        (service.newest(&amina_token).await.len() == 1).then_some(())
    })
    .await;
    service.players.erase(leaving);
    erase_until(&service, leaving).await;
    assert_eq!(service.newest(&amina_token).await, vec![]);
}

#[tokio::test]
async fn a_removed_room_that_is_opened_again_has_no_words_of_an_erased_player() {
    let service = Service::start().await;
    service.apply_room(lobby(), false).await.unwrap();
    let (leaving, token) = service.member("lobby").await;
    service.send_many(&token, "lobby", 0..3).await;
    let (_, other_token) = service.member("lobby").await;
    service.send(&other_token, text("lobby", "Poa", "m-1")).await.unwrap();
    service.delete(ChatContentKind::Room, "lobby", false).await;

    service.players.erase(leaving);
    erase_until(&service, leaving).await;
    service.apply_room(lobby(), false).await.unwrap();
    service.join(&other_token, "lobby").await.unwrap();
    let page = service.page(&other_token, "lobby", 0).await.unwrap();
    let texts: Vec<&str> = page.messages.iter().map(|message| message.text.as_str()).collect();
    assert_eq!(texts, ["Poa"]);
    // The room's numbering continues.
    let next = service.send(&other_token, text("lobby", "Habari", "m-2")).await.unwrap();
    assert_eq!(next.seq, 5);
}

#[tokio::test]
async fn an_erasure_that_failed_goes_on_with_the_player_whose_message_was_stuck() {
    let service = Service::start().await;
    service.open_room("lobby").await;
    let (first, first_token) = service.member("lobby").await;
    let (stuck, token) = service.member("lobby").await;
    service.send_many(&first_token, "lobby", 0..3).await;
    service.send(&token, text("lobby", "stuck", "stuck")).await.unwrap();
    for statement in [
        "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN RAISE 'as this test expects'; END $$",
        "CREATE TRIGGER refuse BEFORE UPDATE ON message FOR EACH ROW
         WHEN (OLD.content = 'stuck') EXECUTE FUNCTION refuse()",
    ] {
        sqlx::query(statement).execute(&service.database.pool).await.unwrap();
    }
    service.players.erase(first);
    service.players.erase(stuck);
    erase_until(&service, first).await;
    let removed = "SELECT count(*) FROM message WHERE removal IS NOT NULL";
    assert_eq!(service.count(removed).await, 3);

    sqlx::query("DROP TRIGGER refuse ON message").execute(&service.database.pool).await.unwrap();
    erase_until(&service, stuck).await;
    assert_eq!(service.count(removed).await, 4);
}

#[tokio::test]
async fn replicas_that_erase_at_the_same_time_do_no_harm() {
    let service = Service::start().await;
    service.open_room("lobby").await;
    let (leaving, token) = service.member("lobby").await;
    service.send_many(&token, "lobby", 0..20).await;
    service.players.erase(leaving);
    tokio::join!(erase_until(&service, leaving), erase_until(&service, leaving));
    let removals = "SELECT count(DISTINCT removal) FROM message";
    assert_eq!(service.count(removals).await, 20);
    assert_eq!(service.count("SELECT removals FROM room_sequence").await, 20);
}

#[tokio::test]
async fn a_long_list_of_erased_players_is_gone_through_page_by_page() {
    let service = Service::start().await;
    service.open_room("lobby").await;
    let (member, token) = service.member("lobby").await;
    service.send_many(&token, "lobby", 0..3).await;
    for _ in 0..150 {
        service.players.erase(service.tokens.player().0);
    }
    service.players.erase(member);
    erase_until(&service, member).await;
    assert_eq!(service.count("SELECT count(*) FROM message WHERE removal IS NULL").await, 0);
    // The next round continues after the last erased player, which the stub of svc-auth checks.
    let (late, _) = service.member("lobby").await;
    service.players.erase(late);
    erase_until(&service, late).await;
    assert_eq!(service.count("SELECT count(*) FROM membership").await, 0);
}
