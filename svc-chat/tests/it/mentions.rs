//! Notifications of players whom a message mentions.

use std::{collections::BTreeMap, time::Duration};

use proto::{
    chat::v1::{DeleteMessageRequest, Message, NotificationKind},
    timestamp,
};
use testkit::{BEGINNING, eventually};
use types::PlayerId;

use crate::{
    harness::{Service, params, signed},
    talk::text,
};

impl Service {
    /// A member of the lobby with a username.
    async fn named(&self, username: &str) -> (PlayerId, String) {
        let (player, token) = self.member("lobby").await;
        self.players.name(player, username);
        (player, token)
    }

    /// Sends a message to the lobby.
    async fn say(&self, token: &str, words: &str, client_message_id: &str) -> Message {
        self.send(token, text("lobby", words, client_message_id)).await.unwrap()
    }

    /// Waits until no delivery is left.
    async fn all_delivered(&self) {
        eventually("all rows are delivered", || async {
            (self.count("SELECT count(*) FROM outbox").await == 0).then_some(())
        })
        .await;
    }

    /// How many notifications a player has.
    async fn notified(&self, player: PlayerId) -> usize {
        self.newest(&self.tokens.token(player)).await.len()
    }

    /// Waits until a lookup at svc-auth, which is out of reach, was refused.
    async fn auth_was_asked(&self) {
        eventually("svc-auth was asked", || async { (self.players.refused() > 0).then_some(()) })
            .await;
    }

    pub(crate) async fn remove(&self, token: &str, message: &Message) {
        let request = DeleteMessageRequest { id: message.id.clone() };
        self.client.clone().delete_message(signed(token, request)).await.unwrap();
    }
}

#[tokio::test]
async fn a_member_who_is_mentioned_is_notified_once_over_two_replicas() {
    let service = Service::start().await;
    let other = service.start_replica().await;
    service.open_room("lobby").await;
    let (_, amina_token) = service.named("amina").await;
    let (juma, token) = service.named("juma").await;

    let words = "Habari @Amina,\n twende? @amina!";
    let calls = (0..8).map(|call| {
        let replica = if call % 2 == 0 { &service } else { &other };
        replica.say(&token, words, "m-1")
    });
    futures_util::future::join_all(calls).await;
    service.all_delivered().await;
    service.say(&token, words, "m-1").await;
    assert_eq!(service.count("SELECT count(*) FROM outbox").await, 0, "a repeat writes no row");

    let list = service.newest(&amina_token).await;
    assert_eq!(list.len(), 1);
    assert_eq!(list[0].kind(), NotificationKind::Mention);
    assert_eq!(list[0].occurred_at, Some(timestamp(BEGINNING)));
    let expected = [
        ("chat_room_uid", "lobby"),
        ("excerpt", "Habari @Amina, twende? @amina!"),
        ("from", "juma"),
        ("room", "lobby"),
    ];
    let expected = expected.map(|(name, value)| (name.to_owned(), value.to_owned()));
    assert_eq!(params(&list[0]), BTreeMap::from(expected));
    assert_eq!(service.notified(juma).await, 0);
}

#[tokio::test]
async fn a_delivery_that_is_repeated_notifies_nobody_again() {
    let service = Service::start().await;
    service.open_room("lobby").await;
    let (amina, _) = service.named("amina").await;
    let (_, token) = service.named("juma").await;
    service.say(&token, "@amina", "m-1").await;
    service.all_delivered().await;

    // The state after the process died before the outbox row was removed, with and without the
    // record of the mention.
    for forget in [false, true] {
        if forget {
            let swept = "DELETE FROM mention_notice";
            sqlx::query(swept).execute(&service.database.pool).await.unwrap();
        }
        let repeat = "INSERT INTO outbox (topic, id, payload, due_at, created_at)
                      SELECT 'mention', gen_random_uuid(), jsonb_build_object('message', id),
                          now(), now() FROM message";
        sqlx::query(repeat).execute(&service.database.pool).await.unwrap();
        service.all_delivered().await;
        assert_eq!(service.notified(amina).await, 1);
    }
}

#[tokio::test]
async fn strangers_blockers_and_the_sender_are_not_notified() {
    let service = Service::start().await;
    service.open_room("lobby").await;
    let (juma, token) = service.named("juma").await;
    let (stranger, _) = service.tokens.player();
    service.players.name(stranger, "stranger");
    let (left, left_token) = service.named("left").await;
    service.leave(&left_token, "lobby").await.unwrap();
    let (blocker, blocker_token) = service.named("blocker").await;
    service.block(&blocker_token, &juma.to_string()).await.unwrap();
    let (amina, _) = service.named("amina").await;

    service.say(&token, "@juma @stranger @left @blocker @amina", "m-1").await;
    service.all_delivered().await;

    for (player, notified) in [(juma, 0), (stranger, 0), (left, 0), (blocker, 0), (amina, 1)] {
        assert_eq!(service.notified(player).await, notified);
    }
}

#[tokio::test]
async fn a_mention_waits_for_svc_auth() {
    let service = Service::start().await;
    service.open_room("lobby").await;
    let (amina, _) = service.named("amina").await;
    let (_, token) = service.named("juma").await;
    service.players.set_away(true);
    service.say(&token, "@amina", "m-1").await;
    service.auth_was_asked().await;
    assert_eq!(service.notified(amina).await, 0);

    service.players.set_away(false);
    service.all_delivered().await;
    assert_eq!(service.notified(amina).await, 1);
}

#[tokio::test]
async fn nobody_is_notified_of_a_message_that_was_removed_or_hidden_or_in_a_closed_room() {
    let service = Service::start().await;
    service.open_room("lobby").await;
    let (amina, _) = service.named("amina").await;
    let (_, token) = service.named("juma").await;
    service.players.set_away(true);
    let removed = service.say(&token, "@amina one", "m-1").await;
    let hidden = service.say(&token, "@amina two", "m-2").await;
    service.auth_was_asked().await;
    service.remove(&token, &removed).await;
    service.hide(&hidden.id, "insults").await.unwrap();
    service.players.set_away(false);
    service.all_delivered().await;
    assert_eq!(service.notified(amina).await, 0);

    service.players.set_away(true);
    let asked = service.players.refused();
    service.say(&token, "@amina three", "m-3").await;
    eventually("svc-auth was asked", || async {
        (service.players.refused() > asked).then_some(())
    })
    .await;
    assert!(service.close(true).await);
    service.players.set_away(false);
    service.all_delivered().await;
    assert_eq!(service.notified(amina).await, 0);
}

#[tokio::test]
async fn a_removed_message_takes_its_notifications_along() {
    let service = Service::start().await;
    service.open_room("lobby").await;
    let (amina, _) = service.named("amina").await;
    let (otieno, _) = service.named("otieno").await;
    let (_, token) = service.named("juma").await;
    let removed = service.say(&token, "@amina @otieno one", "m-1").await;
    let hidden = service.say(&token, "@amina two", "m-2").await;
    service.say(&token, "@amina three", "m-3").await;
    service.all_delivered().await;
    assert_eq!((service.notified(amina).await, service.notified(otieno).await), (3, 1));

    service.remove(&token, &removed).await;
    assert_eq!((service.notified(amina).await, service.notified(otieno).await), (2, 0));
    service.hide(&hidden.id, "insults").await.unwrap();
    let left = service.newest(&service.tokens.token(amina)).await;
    assert_eq!(left.len(), 1);
    assert_eq!(params(&left[0])["excerpt"], "@amina three");
}

#[tokio::test]
async fn the_limit_does_not_tell_who_has_blocked_the_sender() {
    let service = Service::start_args(|args| args.mentions_per_hour = 1).await;
    service.open_room("lobby").await;
    let (amina, _) = service.named("amina").await;
    let (_, blocker) = service.named("blocker").await;
    let (juma, token) = service.named("juma").await;
    service.block(&blocker, &juma.to_string()).await.unwrap();

    service.say(&token, "@blocker @amina", "m-1").await;
    service.all_delivered().await;
    assert_eq!(service.notified(amina).await, 0, "as if the blocker had been notified");
}

#[tokio::test]
async fn a_sender_notifies_a_limited_number_of_players_an_hour() {
    let service = Service::start_args(|args| args.mentions_per_hour = 3).await;
    service.open_room("lobby").await;
    let mut players = Vec::new();
    for name in ["amina", "brian", "chebet", "dan"] {
        players.push(service.named(name).await.0);
    }
    let (juma, token) = service.named("juma").await;
    let (_, other) = service.named("other").await;
    let all = async || {
        let counts = players.iter().map(|player| service.notified(*player));
        futures_util::future::join_all(counts).await
    };

    service.say(&token, "@amina @brian @chebet @dan", "m-1").await;
    service.all_delivered().await;
    assert_eq!(all().await, [1, 1, 1, 0], "the first in the text");
    service.say(&token, "@dan", "m-2").await;
    service.all_delivered().await;
    assert_eq!(all().await, [1, 1, 1, 0]);
    // Another sender has a limit of their own.
    service.say(&other, "@dan", "m-1").await;
    service.all_delivered().await;
    assert_eq!(all().await, [1, 1, 1, 1]);

    service.clock.advance(Duration::from_secs(3_601));
    let token = service.tokens.token(juma);
    service.say(&token, "@dan", "m-3").await;
    service.all_delivered().await;
    assert_eq!(all().await, [1, 1, 1, 2], "what was dropped is not made up for");
}

#[tokio::test]
async fn a_sender_notifies_one_player_ten_times_an_hour() {
    let service = Service::start().await;
    service.open_room("lobby").await;
    let (amina, _) = service.named("amina").await;
    let (brian, _) = service.named("brian").await;
    let (juma, token) = service.named("juma").await;
    for number in 1..=12 {
        service.say(&token, "@amina", &format!("m-{number}")).await;
    }
    service.all_delivered().await;
    assert_eq!(service.notified(amina).await, 10);
    service.say(&token, "@amina @brian", "m-13").await;
    service.all_delivered().await;
    assert_eq!((service.notified(amina).await, service.notified(brian).await), (10, 1));

    service.clock.advance(Duration::from_secs(3_601));
    service.say(&service.tokens.token(juma), "@amina", "m-14").await;
    service.all_delivered().await;
    assert_eq!(service.notified(amina).await, 11);
}

#[tokio::test]
async fn a_message_without_mentions_and_one_that_is_refused_write_no_row() {
    let service = Service::start().await;
    service.open_room("lobby").await;
    let (amina, _) = service.named("amina").await;
    let (_, token) = service.named("juma").await;
    let (_, stranger) = service.tokens.player();
    service.players.set_away(true);
    service.say(&token, "amina@example.com", "m-1").await;
    service.send(&stranger, text("lobby", "@amina", "m-1")).await.unwrap_err();
    assert_eq!(service.count("SELECT count(*) FROM outbox").await, 0);
    assert_eq!(service.notified(amina).await, 0);
}
