//! Settling tournaments.

use std::sync::atomic::Ordering;

use proto::{
    chat::v1::{NewNotification, NotificationKind},
    timestamp,
    tournament::v1::{
        AwardManifest, GetLeaderboardRequest, GetPodiumRequest, ListAwardsRequest,
        ListHallOfFameRequest, RecordScoreRequest, ScoreTrust, Tier, TournamentManifest,
    },
    types::v1::{Change, Money},
    wallet,
};
use testkit::{BEGINNING, eventually};
use time::Duration;
use tonic::Code;
use types::PlayerId;

use crate::harness::{Service, World, award, manifest, reason, score};

/// The time from the test's beginning until a tournament of [`manifest`] can be settled.
pub(crate) const OVER: Duration = Duration::seconds(3_641);

pub(crate) fn param<'a>(notification: &'a NewNotification, name: &str) -> &'a str {
    notification.params.get(name).map_or("", String::as_str)
}

impl World {
    /// Waits until the outbox is empty and all players are notified.
    pub(crate) async fn until_delivered(&self) {
        eventually("the deliveries", || async {
            let waiting = "SELECT (SELECT count(*) FROM outbox)
                + (SELECT count(*) FROM tournament WHERE notified_rank < players)
                + (SELECT count(*) FROM award_given WHERE state = 'PENDING')";
            (self.count(waiting).await == 0).then_some(())
        })
        .await;
    }

    async fn until_asked(&self) {
        let before = self.games.asked.load(Ordering::SeqCst);
        eventually("a call to svc-games", || async {
            (self.games.asked.load(Ordering::SeqCst) > before + 1).then_some(())
        })
        .await;
    }

    pub(crate) fn notified(&self, player: PlayerId) -> Vec<NewNotification> {
        let mut stored = self.notifications.stored();
        stored.retain(|one| one.player_id == player.to_string());
        stored
    }
}

impl Service {
    async fn podium(&self, id: &str) -> (bool, Vec<String>) {
        let request = GetPodiumRequest { tournament_id: id.to_owned() };
        let podium = self.scores.clone().get_podium(request).await.unwrap().into_inner();
        (podium.settled, podium.player_ids)
    }
}

#[tokio::test]
async fn a_settled_tournament_has_a_final_board_awards_fame_and_notifications() {
    let service = Service::start().await;
    let world = service.world.clone();
    let cup = TournamentManifest {
        awards: vec![award(1, "Gold medal", 1_000), award(2, "Cap", 0)],
        fame_title: "Champions of the cup".to_owned(),
        ..manifest("cup")
    };
    let id = service.apply(cup).await;
    let players: Vec<PlayerId> = (0..5).map(|_| world.player()).collect();
    for (player, points) in players.iter().zip([50, 40, 30, 20, 10]) {
        service.record(&id, *player, points).await;
    }
    assert_eq!(service.podium(&id).await, (false, vec![]));

    world.advance(OVER);
    let tournament = service.until_settled(&id).await;
    world.until_delivered().await;

    assert_eq!(tournament.players, 5);
    let board = service.board(&id, players[3]).await;
    assert_eq!((board.settled, board.players, board.last), (true, 5, true));
    let order: Vec<_> = board.standings.iter().map(|one| one.player_id.clone()).collect();
    assert_eq!(order, players.iter().map(ToString::to_string).collect::<Vec<_>>());
    assert_eq!(board.own.unwrap().rank, 4);
    let request = GetLeaderboardRequest { tournament_id: id.clone(), page: 1, page_size: 2 };
    let page = service.try_board(players[0], request).await.unwrap();
    assert_eq!(page.standings.iter().map(|one| one.rank).collect::<Vec<_>>(), [3, 4]);
    assert!(!page.last);
    let request = GetLeaderboardRequest { tournament_id: id.clone(), page: 2, page_size: 2 };
    let page = service.try_board(world.player(), request).await.unwrap();
    assert_eq!(page.standings.iter().map(|one| one.rank).collect::<Vec<_>>(), [5]);
    assert_eq!((page.last, page.own), (true, None));
    assert_eq!(service.podium(&id).await, (true, order[..3].to_vec()));
    assert_eq!(world.count("SELECT count(*) FROM standing").await, 0);

    let paid = world.wallets.paid();
    let [award] = paid.as_slice() else { panic!("{paid:?}") };
    assert_eq!(
        (award.player_id.as_str(), award.amount),
        (order[0].as_str(), Some(Money { cents: 100_000 }))
    );
    assert_eq!(award.detail, "The cup, place 1");
    assert_eq!(award.awarded_at, Some(timestamp(BEGINNING + OVER)));

    let fame = service.client.clone().list_hall_of_fame(ListHallOfFameRequest {}).await.unwrap();
    let entries = fame.into_inner().entries;
    let [entry] = entries.as_slice() else { panic!("{entries:?}") };
    assert_eq!(
        (entry.title.as_str(), entry.description.as_str()),
        ("Champions of the cup", "A contest.")
    );
    assert_eq!(entry.member_ids, order[..3]);

    assert_eq!(world.notifications.stored().len(), 5);
    let first = world.notified(players[0]).remove(0);
    assert_eq!(first.kind(), NotificationKind::CashAwardWon);
    assert_eq!(
        ["amount", "tournament", "rank"].map(|name| param(&first, name)),
        ["KES 1,000.00", "The cup", "1"]
    );
    let second = world.notified(players[1]).remove(0);
    assert_eq!(second.kind(), NotificationKind::AwardWon);
    assert_eq!(
        ["award", "tournament", "rank"].map(|name| param(&second, name)),
        ["Cap", "The cup", "2"]
    );
    let last = world.notified(players[4]).remove(0);
    assert_eq!(last.kind(), NotificationKind::TournamentResult);
    assert_eq!(
        ["tournament", "rank", "players"].map(|name| param(&last, name)),
        ["The cup", "5", "5"]
    );
    assert!([first, second, last].iter().all(|one| one.params.len() == 3));
}

#[tokio::test]
async fn cash_is_paid_for_proven_and_signed_scores_only() {
    let service = Service::start().await;
    let world = service.world.clone();
    let awards = vec![
        award(1, "First", 300),
        award(2, "Second", 200),
        award(3, "Third", 100),
        award(4, "Cap", 0),
    ];
    let id = service.apply(TournamentManifest { awards, ..manifest("cup") }).await;
    let trusts = [ScoreTrust::Claimed, ScoreTrust::Signed, ScoreTrust::Proven, ScoreTrust::Claimed];
    let players = trusts.map(|_| world.player());
    for ((player, trust), points) in players.into_iter().zip(trusts).zip([9, 8, 7, 6]) {
        let request =
            RecordScoreRequest { trust: trust.into(), ..score(&id, player, points, BEGINNING) };
        service.try_record(request).await.unwrap();
    }

    world.advance(OVER);
    service.until_settled(&id).await;
    world.until_delivered().await;

    let mut paid: Vec<_> = world
        .wallets
        .paid()
        .into_iter()
        .map(|award| (award.amount.unwrap().cents, award.player_id))
        .collect();
    paid.sort();
    assert_eq!(paid, [(10_000, players[2].to_string()), (20_000, players[1].to_string())]);
    let kinds = players.map(|player| world.notified(player).remove(0).kind());
    assert_eq!(
        kinds,
        [
            NotificationKind::TournamentResult,
            NotificationKind::CashAwardWon,
            NotificationKind::CashAwardWon,
            NotificationKind::AwardWon
        ]
    );
}

pub(crate) fn tier(tier: Tier, award: AwardManifest) -> AwardManifest {
    AwardManifest { tier: tier.into(), ..award }
}

#[tokio::test]
async fn the_award_is_that_of_the_package_that_was_held_when_the_run_began() {
    let service = Service::start().await;
    let world = service.world.clone();
    let mut awards = Vec::new();
    for position in 1..=100 {
        awards.push(award(position, "Bronze", 1));
        awards.push(tier(Tier::Gold, award(position, "Gold", 3)));
    }
    awards.push(tier(Tier::Silver, award(2, "Silver", 2)));
    let id = service.apply(TournamentManifest { awards, ..manifest("cup") }).await;
    let players: Vec<PlayerId> = (0..110).map(|_| world.player()).collect();
    for (player, points) in players.iter().zip((0..110).rev()) {
        service.record(&id, *player, points).await;
    }
    for (player, tier) in [
        (0, wallet::v1::Tier::Bronze),
        (1, wallet::v1::Tier::Silver),
        (2, wallet::v1::Tier::Gold),
        (99, wallet::v1::Tier::Platinum),
    ] {
        world.wallets.hold(players[player], tier);
    }
    world.advance(OVER);
    service.until_settled(&id).await;
    world.until_delivered().await;

    let paid = world.wallets.paid();
    assert_eq!(paid.len(), 100);
    let cents = |player: usize| {
        let id = players[player].to_string();
        paid.iter().find(|one| one.player_id == id).unwrap().amount.unwrap().cents
    };
    assert_eq!([0, 1, 2, 3, 98, 99].map(cents), [100, 200, 300, 100, 100, 300]);
    let asked = world.wallets.asked.lock().unwrap();
    let began = Some(timestamp(BEGINNING - Duration::minutes(1)));
    let mut players = asked.iter().flat_map(|request| &request.players);
    assert!(players.all(|player| player.at == began), "{asked:?}");
}

#[tokio::test]
async fn the_best_run_is_that_of_which_the_package_counts() {
    let service = Service::start().await;
    let world = service.world.clone();
    let awards = vec![tier(Tier::Gold, award(1, "Car", 2)), award(3, "Cap", 1)];
    let id = service.apply(TournamentManifest { awards, ..manifest("cup") }).await;
    let player = world.player();
    for (points, minute) in [(10, 10), (30, 20), (20, 30)] {
        let reached_at = BEGINNING + Duration::minutes(minute);
        service.try_record(score(&id, player, points, reached_at)).await.unwrap();
    }
    // Another replica begins runs by a clock that is ahead, or is of an earlier version and sends no time.
    let (ahead, before) = (world.player(), world.player());
    for (player, points, began_at) in
        [(ahead, 2, Some(BEGINNING + Duration::hours(1))), (before, 1, None)]
    {
        let run = score(&id, player, points, BEGINNING);
        let began_at = began_at.map(timestamp);
        service.try_record(RecordScoreRequest { began_at, ..run }).await.unwrap();
    }
    world.advance(OVER);
    service.until_settled(&id).await;
    let asked = world.wallets.asked.lock().unwrap();
    let times: Vec<_> = asked[0].players.iter().map(|player| player.at).collect();
    let began = [BEGINNING + Duration::minutes(19), BEGINNING, BEGINNING];
    assert_eq!(times, began.map(|at| Some(timestamp(at))));
}

#[tokio::test]
async fn the_settlement_waits_while_svc_wallet_is_away_if_the_tier_matters() {
    let service = Service::start().await;
    let world = service.world.clone();
    world.wallets.away.store(1, Ordering::SeqCst);
    let awards = vec![award(1, "Phone", 1), tier(Tier::Gold, award(1, "Car", 2))];
    let id = service.apply(TournamentManifest { awards, ..manifest("cup") }).await;
    let bronze = TournamentManifest { awards: vec![award(1, "Cap", 0)], ..manifest("bronze") };
    let bronze = service.apply(bronze).await;
    let player = world.player();
    world.wallets.hold(player, wallet::v1::Tier::Gold);
    service.record(&id, player, 1).await;
    service.record(&bronze, player, 1).await;

    world.advance(OVER);
    service.until_settled(&bronze).await;
    eventually("two calls to svc-wallet", || async {
        (world.wallets.asked.lock().unwrap().len() > 1).then_some(())
    })
    .await;
    assert!(!service.tournament(&id).await.settled);
    assert!(world.wallets.paid().is_empty());

    world.wallets.away.store(0, Ordering::SeqCst);
    service.until_settled(&id).await;
    world.until_delivered().await;
    assert_eq!(world.wallets.paid()[0].amount, Some(Money { cents: 200 }));
}

#[tokio::test]
async fn players_without_a_package_win_the_bronze_awards() {
    let service = Service::start().await;
    let awards = vec![
        tier(Tier::Gold, award(1, "Car", 900)),
        award(1, "Phone", 300),
        tier(Tier::Silver, award(2, "Bike", 200)),
    ];
    let id = service.apply(TournamentManifest { awards, ..manifest("cup") }).await;
    let players = [0; 2].map(|_| service.world.player());
    for (player, points) in players.into_iter().zip([2, 1]) {
        service.record(&id, player, points).await;
    }
    service.world.advance(OVER);
    service.until_settled(&id).await;
    service.world.until_delivered().await;

    let paid = service.world.wallets.paid();
    assert_eq!(paid.len(), 1);
    assert_eq!(paid[0].amount, Some(Money { cents: 30_000 }));
    assert_eq!(service.world.notified(players[1])[0].kind(), NotificationKind::TournamentResult);
}

#[tokio::test]
async fn a_score_that_comes_after_the_close_is_refused() {
    let service = Service::start().await;
    let id = service.apply(manifest("cup")).await;
    let (player, late) = (service.world.player(), service.world.player());
    service.record(&id, player, 5).await;
    service.world.advance(OVER);
    service.until_settled(&id).await;

    let refused = service.try_record(score(&id, late, 9, BEGINNING)).await.unwrap_err();
    assert_eq!(
        (refused.code(), reason(&refused)),
        (Code::FailedPrecondition, "TOURNAMENT_CLOSED".into())
    );
    assert_eq!(service.order(&id).await, [(player.to_string(), 5)]);
    assert_eq!(service.world.count("SELECT count(*) FROM standing").await, 0);
}

#[tokio::test]
async fn nothing_is_settled_within_the_grace_or_while_runs_are_unfinished() {
    let service = Service::start().await;
    let world = service.world.clone();
    world.games.unfinished.store(1, Ordering::SeqCst);
    let id = service.apply(manifest("cup")).await;
    let player = world.player();
    world.advance(Duration::seconds(3_639));
    service.record(&id, player, 1).await;
    world.advance(Duration::seconds(2));
    world.until_asked().await;
    assert!(!service.tournament(&id).await.settled);
    service.record_late(&id, player, 2).await;

    world.games.unfinished.store(0, Ordering::SeqCst);
    service.until_settled(&id).await;
    assert_eq!(service.order(&id).await, [(player.to_string(), 2)]);
}

impl Service {
    /// Records a score that was reached in the last second of the grace.
    async fn record_late(&self, id: &str, player: PlayerId, points: i32) {
        let at = BEGINNING + Duration::seconds(3_639);
        self.try_record(score(id, player, points, at)).await.unwrap();
    }
}

#[tokio::test]
async fn the_settlement_waits_while_svc_games_is_away() {
    let service = Service::start().await;
    let world = service.world.clone();
    world.games.away.store(1, Ordering::SeqCst);
    let id = service.apply(manifest("cup")).await;
    let player = world.player();
    service.record(&id, player, 1).await;
    world.advance(OVER);
    world.until_asked().await;
    assert_eq!(service.order(&id).await, [(player.to_string(), 1)]);
    assert!(!service.tournament(&id).await.settled);

    world.games.away.store(0, Ordering::SeqCst);
    service.until_settled(&id).await;
}

#[tokio::test]
async fn the_settlement_waits_for_a_transaction_that_saw_the_tournament_open() {
    let service = Service::start().await;
    let world = service.world.clone();
    let id = service.apply(manifest("cup")).await;
    let (player, late) = (world.player(), world.player());
    service.record(&id, player, 1).await;
    let mut tx = world.database.pool.begin().await.unwrap();
    insert(&id, late).execute(&mut *tx).await.unwrap();

    world.advance(OVER);
    eventually("the close", || async {
        let marked = "SELECT count(*) FROM tournament WHERE closed_xid IS NOT NULL";
        (world.count(marked).await == 1).then_some(())
    })
    .await;
    assert!(!service.tournament(&id).await.settled);
    // The table refuses a score whose statement begins after the close.
    let refused = insert(&id, world.player()).execute(&world.database.pool).await.unwrap_err();
    let constraint = refused.as_database_error().and_then(|error| error.constraint());
    assert_eq!(constraint, Some("standing_needs_open_tournament"));
    tx.commit().await.unwrap();

    service.until_settled(&id).await;
    assert_eq!(service.order(&id).await[0], (late.to_string(), 77));
}

/// The insertion of a standing of 77 points.
fn insert(
    id: &str,
    player: PlayerId,
) -> sqlx::query::Query<'_, sqlx::Postgres, sqlx::postgres::PgArguments> {
    sqlx::query(
        "WITH put AS (INSERT INTO standing (tournament_id, player_id, points, trust, reached_at)
         VALUES ($1::uuid, $2::uuid, 77, 'Proven', '2026-11-20 09:00Z') RETURNING *)
         INSERT INTO standing_change (tournament_id, player_id, points, reached_at)
         SELECT tournament_id, player_id, points, reached_at FROM put",
    )
    .bind(id)
    .bind(player.uuid())
}

#[tokio::test]
async fn two_replicas_settle_many_tournaments_once() {
    let one = Service::start().await;
    let world = one.world.clone();
    let two = world.start().await;
    let awards = vec![award(1, "First", 100)];
    let mut ids = Vec::new();
    for number in 0..10 {
        let cup =
            TournamentManifest { awards: awards.clone(), ..manifest(&format!("cup-{number}")) };
        let id = one.apply(cup).await;
        for points in 0..3 {
            one.record(&id, world.player(), points).await;
        }
        ids.push(id);
    }
    ids.push(one.apply(manifest("empty")).await);

    world.advance(OVER);
    for id in &ids {
        two.until_settled(id).await;
    }
    world.until_delivered().await;

    assert_eq!(world.wallets.paid().len(), 10);
    assert_eq!(world.notifications.stored().len(), 30);
    assert_eq!(world.count("SELECT count(*) FROM fame").await, 10);
    assert_eq!(world.count("SELECT count(*) FROM award_given").await, 10);
}

#[tokio::test]
async fn all_players_of_a_large_board_are_notified() {
    let service = Service::start().await;
    let world = service.world.clone();
    let cup = TournamentManifest { awards: vec![award(1, "Cap", 0)], ..manifest("cup") };
    let id = service.apply(cup).await;
    sqlx::query(
        "INSERT INTO standing (tournament_id, player_id, points, trust, reached_at)
         SELECT $1::uuid, gen_random_uuid(), number, 'Proven', '2026-11-20 09:00Z'
         FROM generate_series(1, 450) AS number",
    )
    .bind(&id)
    .execute(&world.database.pool)
    .await
    .unwrap();
    world.advance(OVER);
    assert_eq!(service.until_settled(&id).await.players, 450);
    world.until_delivered().await;
    let stored = world.notifications.stored();
    assert_eq!(stored.len(), 450);
    let won = stored.iter().filter(|one| one.kind() == NotificationKind::AwardWon);
    assert_eq!(won.count(), 1);
}

#[tokio::test]
async fn a_tournament_with_its_awards_and_its_fame_is_read_in_the_language_of_the_call() {
    let service = Service::start().await;
    let world = service.world.clone();
    let cap = AwardManifest { name_sw: "Kofia".to_owned(), ..award(1, "Cap", 0) };
    let cup = TournamentManifest {
        description_sw: "Shindano.".to_owned(),
        fame_title: "Champions".to_owned(),
        fame_title_sw: "Mabingwa".to_owned(),
        awards: vec![cap, award(2, "Scarf", 0)],
        ..manifest("cup")
    };
    let id = service.apply(cup.clone()).await;
    assert_eq!(service.try_apply(cup).await.unwrap(), Change::Unchanged);
    let player = world.player();
    service.record(&id, player, 10).await;
    world.advance(OVER);
    service.until_settled(&id).await;
    world.until_delivered().await;

    let texts = async || {
        let tournament = service.tournament(&id).await;
        let request = ListAwardsRequest { tournament_id: id.clone() };
        let awards = service.client.clone().list_awards(request).await.unwrap();
        let awards = awards.into_inner().awards.into_iter().map(|award| award.name);
        let fame = service.client.clone().list_hall_of_fame(ListHallOfFameRequest {}).await;
        let fame = fame.unwrap().into_inner().entries.remove(0);
        let own = [tournament.description, tournament.first_award, fame.title, fame.description];
        own.into_iter().chain(awards).collect::<Vec<_>>()
    };
    let english = ["A contest.", "Cap", "Champions", "A contest.", "Cap", "Scarf"];
    assert_eq!(texts().await, english);
    let swahili = ["Shindano.", "Kofia", "Mabingwa", "Shindano.", "Kofia", "Scarf"];
    assert_eq!(testkit::in_swahili(texts()).await, swahili);
    let won = world.notified(player).remove(0);
    assert_eq!(["award", "award_sw"].map(|name| param(&won, name)), ["Cap", "Kofia"]);
}
