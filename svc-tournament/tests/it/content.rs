//! Applying, changing and removing tournaments.

use std::sync::atomic::Ordering;

use proto::{
    timestamp,
    tournament::v1::{
        ApplyTournamentRequest, AwardManifest, DeleteTournamentRequest, GetCashAtStakeRequest,
        GetLeaderboardRequest, GetRoundRequest, ListTournamentManifestsRequest, Tier,
        TournamentManifest, tournament_admin_service_client::TournamentAdminServiceClient,
    },
    types::v1::{Change, Money},
};
use testkit::BEGINNING;
use time::Duration;
use tonic::{Code, Status};

use crate::harness::{Service, award, field, id, manifest, reason};

impl Service {
    async fn changes(&self) -> Vec<(String, String, String)> {
        let query = "SELECT operator, key, change FROM content_change ORDER BY changed_at, id";
        sqlx::query_as(query).fetch_all(&self.world.database.pool).await.unwrap()
    }

    pub(crate) async fn delete(&self, key: &str) -> Result<Change, Status> {
        let request = DeleteTournamentRequest { key: key.to_owned(), dry_run: false };
        Ok(self.admin.clone().delete_tournament(request).await?.into_inner().change())
    }
}

#[tokio::test]
async fn applying_a_tournament_twice_changes_nothing() {
    let service = Service::start().await;
    let starts = Some(timestamp(BEGINNING + Duration::minutes(1)));
    let cup = TournamentManifest { starts, awards: vec![award(1, "Cup", 100)], ..manifest("cup") };
    assert_eq!(service.try_apply(cup.clone()).await.unwrap(), Change::Created);
    assert_eq!(service.try_apply(cup.clone()).await.unwrap(), Change::Unchanged);
    service.world.advance(Duration::seconds(1));
    let more = TournamentManifest { awards: vec![award(1, "Cup", 200)], ..cup.clone() };
    assert_eq!(service.try_apply(more.clone()).await.unwrap(), Change::Updated);

    let mut admin = service.admin.clone();
    let listed = admin.list_tournament_manifests(ListTournamentManifestsRequest::default()).await;
    assert_eq!(listed.unwrap().into_inner().tournaments, [more]);
    let change = |change: &str| ("playonctl".to_owned(), "cup".to_owned(), change.to_owned());
    assert_eq!(service.changes().await, [change("Created"), change("Updated")]);
    service.world.database.assert_append_only("content_change").await;
}

#[tokio::test]
async fn a_dry_run_says_what_would_change_and_changes_nothing() {
    let service = Service::start().await;
    let request = ApplyTournamentRequest { tournament: Some(manifest("cup")), dry_run: true };
    let change = service.admin.clone().apply_tournament(request).await.unwrap().into_inner();
    assert_eq!(change.change(), Change::Created);
    assert_eq!(service.world.count("SELECT count(*) FROM tournament").await, 0);
    service.apply(manifest("cup")).await;
    let request = DeleteTournamentRequest { key: "cup".to_owned(), dry_run: true };
    let change = service.admin.clone().delete_tournament(request).await.unwrap().into_inner();
    assert_eq!(change.change(), Change::Deleted);
    assert_eq!(service.world.count("SELECT count(*) FROM tournament").await, 1);
    assert_eq!(service.changes().await.len(), 1);
}

#[tokio::test]
async fn invalid_content_names_its_field() {
    let service = Service::start().await;
    let tier = AwardManifest { tier: Tier::Unspecified.into(), ..award(1, "Cup", 0) };
    let free = AwardManifest { cash: Some(Money { cents: 0 }), ..award(1, "Cup", 0) };
    let with = |award| TournamentManifest { awards: vec![award], ..manifest("cup") };
    let cases = [
        (TournamentManifest { key: "Cup!".to_owned(), ..manifest("cup") }, "id"),
        (TournamentManifest { name: " ".to_owned(), ..manifest("cup") }, "name"),
        (TournamentManifest { description: String::new(), ..manifest("cup") }, "description"),
        (TournamentManifest { game: "AJUA".to_owned(), ..manifest("cup") }, "game"),
        (TournamentManifest { game: "unknown".to_owned(), ..manifest("cup") }, "game"),
        (TournamentManifest { level: 3, ..manifest("cup") }, "level"),
        (TournamentManifest { level: u32::MAX, ..manifest("cup") }, "level"),
        (TournamentManifest { starts: None, ..manifest("cup") }, "starts"),
        (TournamentManifest { ends: None, ..manifest("cup") }, "ends"),
        (TournamentManifest { ends: Some(timestamp(BEGINNING)), ..manifest("cup") }, "ends"),
        (TournamentManifest { rounds: 0, ..manifest("cup") }, "rounds"),
        (TournamentManifest { runs_per_round: 101, ..manifest("cup") }, "runsPerRound"),
        (with(award(0, "Cup", 0)), "awards[0].position"),
        (with(award(1, "", 0)), "awards[0].name"),
        (with(award(1, "Cup", 1_000_001)), "awards[0].cash"),
        (with(tier), "awards[0].tier"),
        (with(free), "awards[0].cash"),
        (TournamentManifest { fame_title: "x".repeat(121), ..manifest("cup") }, "fameTitle"),
    ];
    for (manifest, expected) in cases {
        let refused = service.try_apply(manifest).await.unwrap_err();
        assert_eq!(
            (refused.code(), reason(&refused).as_str(), field(&refused).0.as_str()),
            (Code::InvalidArgument, "INVALID_CONTENT", expected)
        );
    }
    assert_eq!(service.world.count("SELECT count(*) FROM tournament").await, 0);
}

#[tokio::test]
async fn what_is_played_stays_once_a_tournament_has_begun() {
    let service = Service::start().await;
    let starts = Some(timestamp(BEGINNING + Duration::minutes(1)));
    let coming = TournamentManifest { starts, ..manifest("cup") };
    service.apply(coming.clone()).await;
    let other = TournamentManifest { rounds: 5, level: 1, ..coming };
    service.apply(other.clone()).await;

    service.world.advance(Duration::minutes(1));

    let earlier = Some(timestamp(BEGINNING));
    let sooner = Some(timestamp(BEGINNING + Duration::minutes(59)));
    for (change, expected) in [
        (TournamentManifest { level: 0, ..other.clone() }, "level"),
        (TournamentManifest { starts: earlier, ..other.clone() }, "starts"),
        (TournamentManifest { rounds: 4, ..other.clone() }, "rounds"),
        (TournamentManifest { runs_per_round: 9, ..other.clone() }, "runsPerRound"),
        (TournamentManifest { awards: vec![award(1, "Cup", 9)], ..other.clone() }, "awards"),
        (TournamentManifest { ends: sooner, ..other.clone() }, "ends"),
    ] {
        let refused = service.try_apply(change).await.unwrap_err();
        assert_eq!(field(&refused).0, expected);
    }
    let longer = TournamentManifest {
        ends: Some(timestamp(BEGINNING + Duration::hours(2))),
        name: "A longer cup".to_owned(),
        ..other
    };
    assert_eq!(service.try_apply(longer).await.unwrap(), Change::Updated);
}

#[tokio::test]
async fn a_tournament_with_much_cash_is_published_by_two_operators() {
    let service = Service::start().await;
    let starts = Some(timestamp(BEGINNING + Duration::days(20)));
    let ends = Some(timestamp(BEGINNING + Duration::days(21)));
    let with = |shillings| TournamentManifest {
        awards: vec![award(1, "Cup", 9_000), award(2, "Plate", shillings)],
        starts,
        ends,
        ..manifest("cup")
    };
    assert_eq!(service.apply_as("wanjiru", with(1_000)).await.unwrap(), Change::Created);

    let proposed = |refused: Result<Change, Status>| {
        let refused = refused.unwrap_err();
        assert_eq!(
            (refused.code(), reason(&refused).as_str()),
            (Code::FailedPrecondition, "NEEDS_SECOND_OPERATOR")
        );
    };
    // Wanjiru cannot confirm her own proposal, under any spelling of her name, and a proposal of
    // another manifest confirms nothing.
    proposed(service.apply_as("wanjiru", with(1_001)).await);
    proposed(service.apply_as("Wanjiru", with(1_001)).await);
    proposed(service.apply_as("otieno", with(1_002)).await);
    proposed(service.apply_as("wanjiru", with(1_001)).await);
    // A proposal expires after a week.
    service.world.advance(Duration::days(7));
    proposed(service.apply_as("otieno", with(1_001)).await);
    service.world.advance(Duration::days(7) - Duration::seconds(1));
    assert_eq!(service.apply_as("wanjiru", with(1_001)).await.unwrap(), Change::Updated);
    assert_eq!(service.apply_as("wanjiru", with(1_001)).await.unwrap(), Change::Unchanged);
    let changes = service.changes().await;
    let last: Vec<_> =
        changes.iter().rev().take(2).map(|(by, _, change)| (&**by, &**change)).collect();
    assert_eq!(last, [("wanjiru", "Updated"), ("otieno", "Proposed")]);
    // Less needs no second operator.
    assert_eq!(service.apply_as("otieno", with(1_000)).await.unwrap(), Change::Updated);
}

/// A cup of this much that begins in twenty days.
fn later_cup(shillings: i64) -> TournamentManifest {
    TournamentManifest {
        awards: vec![award(1, "Cup", shillings)],
        starts: Some(timestamp(BEGINNING + Duration::days(20))),
        ends: Some(timestamp(BEGINNING + Duration::days(21))),
        ..manifest("cup")
    }
}

#[tokio::test]
async fn much_cash_needs_rules_that_two_operators_applied() {
    let service = Service::start().await;
    let games = &service.world.games;
    games.has_rules_of_one.store(true, Ordering::SeqCst);
    assert_eq!(service.apply_as("wanjiru", later_cup(10_000)).await.unwrap(), Change::Created);
    service.world.advance(Duration::SECOND);
    let proposed = service.apply_as("wanjiru", later_cup(10_001)).await.unwrap_err();
    assert_eq!(reason(&proposed), "NEEDS_SECOND_OPERATOR");
    let refused = service.apply_as("otieno", later_cup(10_001)).await.unwrap_err();
    assert_eq!(field(&refused).0, "game");
    // The proposal stays, so the second operator applies the game and then the tournament.
    games.has_rules_of_one.store(false, Ordering::SeqCst);
    assert_eq!(service.apply_as("otieno", later_cup(10_001)).await.unwrap(), Change::Updated);
}

#[tokio::test]
async fn cash_needs_scores_that_are_proven() {
    let service = Service::start().await;
    *service.world.games.rules.lock().unwrap() = Some(Vec::new());
    let refused = service.try_apply(later_cup(1)).await.unwrap_err();
    assert_eq!(field(&refused).0, "game");
    let friendly = TournamentManifest { awards: Vec::new(), ..later_cup(1) };
    assert_eq!(service.try_apply(friendly).await.unwrap(), Change::Created);
}

#[tokio::test]
async fn a_tournament_of_an_earlier_release_gets_its_rules_by_the_next_application() {
    let service = Service::start().await;
    service.apply(manifest("cup")).await;
    let forget = "UPDATE tournament SET rules_sha256 = NULL";
    sqlx::query(forget).execute(&service.world.database.pool).await.unwrap();
    assert_eq!(service.try_apply(manifest("cup")).await.unwrap(), Change::Updated);
    assert_eq!(service.try_apply(manifest("cup")).await.unwrap(), Change::Unchanged);
}

#[tokio::test]
async fn a_tournament_keeps_the_rules_that_it_was_published_with() {
    let service = Service::start().await;
    let rules = |bytes: [u8; 32]| {
        *service.world.games.rules.lock().unwrap() = Some(bytes.to_vec());
    };
    let of_round = async || {
        let request = GetRoundRequest { tournament_id: id("cup") };
        service.scores.clone().get_round(request).await.unwrap().into_inner().rules_sha256
    };
    rules([1; 32]);
    let cup = later_cup(10_001);
    let proposed = async |by| {
        service.world.advance(Duration::SECOND);
        let refused = service.apply_as(by, cup.clone()).await.unwrap_err();
        assert_eq!(reason(&refused), "NEEDS_SECOND_OPERATOR");
    };
    proposed("wanjiru").await;
    // The second operator confirms these rules, and not those that somebody applied meanwhile.
    rules([2; 32]);
    proposed("otieno").await;
    assert_eq!(service.apply_as("wanjiru", cup.clone()).await.unwrap(), Change::Created);
    assert_eq!(service.apply_as("wanjiru", cup.clone()).await.unwrap(), Change::Unchanged);
    // Other rules come into it by two operators, too, and none once it has begun.
    rules([3; 32]);
    proposed("wanjiru").await;
    service.world.advance(Duration::days(20));
    assert_eq!(of_round().await, [2; 32]);
    assert_eq!(service.apply_as("otieno", cup.clone()).await.unwrap(), Change::Unchanged);
    assert_eq!(of_round().await, [2; 32]);
}

#[tokio::test]
async fn two_operators_decide_about_a_game_while_a_score_may_win_its_cash() {
    let service = Service::start().await;
    let game = service.tournament(&service.apply(manifest("friendly")).await).await.game_id;
    let needs_second_operator = async |game: &str| {
        let request = GetCashAtStakeRequest { game_id: game.to_owned() };
        let reply = service.scores.clone().get_cash_at_stake(request).await;
        reply.unwrap().into_inner().needs_second_operator
    };
    let cup = |key, shillings| TournamentManifest {
        awards: vec![award(1, "Cup", shillings)],
        ..manifest(key)
    };
    let first = service.apply(cup("cup", 9_999)).await;
    service.apply(cup("plate", 1)).await;
    assert!(!needs_second_operator(&game).await, "KES 10,000 are not much");
    let third = service.apply(cup("shield", 1)).await;
    assert!(needs_second_operator(&game).await);
    assert!(!needs_second_operator("018f0000-0000-7000-8000-000000000000").await, "another game");

    service.world.advance(Duration::hours(2));
    service.until_settled(&first).await;
    service.until_settled(&third).await;
    assert!(needs_second_operator(&game).await, "a released run may still win");
    service.world.advance(Duration::days(7));
    assert!(!needs_second_operator(&game).await, "the week is over");
}

#[tokio::test]
async fn many_tournaments_of_one_operator_in_a_day_need_a_second_one() {
    let service = Service::start().await;
    let cup = |number: u32| TournamentManifest {
        awards: vec![award(1, "Cup", 10_000)],
        ..manifest(&format!("cup-{number}"))
    };
    for number in 1..=5 {
        assert_eq!(service.apply_as("wanjiru", cup(number)).await.unwrap(), Change::Created);
    }
    let refused = service.apply_as("wanjiru", cup(6)).await.unwrap_err();
    assert_eq!(reason(&refused), "NEEDS_SECOND_OPERATOR");
    // A change of one of the five adds nothing.
    let renamed = TournamentManifest { name: "Another name".to_owned(), ..cup(5) };
    assert_eq!(service.apply_as("wanjiru", renamed).await.unwrap(), Change::Updated);
    assert_eq!(service.apply_as("otieno", cup(6)).await.unwrap(), Change::Created);
    // A tournament that is removed counts, also when another one gets its key. Changes of one key are
    // ordered by their time.
    service.world.advance(Duration::seconds(1));
    assert_eq!(service.delete("cup-1").await.unwrap(), Change::Deleted);
    let refused = service.apply_as("wanjiru", cup(1)).await.unwrap_err();
    assert_eq!(reason(&refused), "NEEDS_SECOND_OPERATOR");
    service.world.advance(Duration::days(1));
    assert_eq!(service.apply_as("wanjiru", cup(7)).await.unwrap(), Change::Created);
}

#[tokio::test]
async fn the_cash_of_a_tournament_is_reserved_until_it_is_settled_or_removed() {
    let service = Service::start().await;
    let (world, wallets) = (service.world.clone(), service.world.wallets.clone());
    let starts = Some(timestamp(BEGINNING + Duration::minutes(1)));
    let of = |awards| TournamentManifest { starts, awards, ..manifest("cup") };
    let cup = |shillings| ("cup".to_owned(), shillings);
    service.apply(of(vec![])).await;
    assert_eq!(wallets.reserved(), []);
    for (awards, expected) in
        [(vec![award(1, "Cup", 300), award(2, "Cup", 200)], 500), (vec![award(1, "Cup", 100)], 100)]
    {
        service.apply(of(awards)).await;
        world.until_delivered().await;
        assert_eq!(wallets.reserved(), [cup(expected)]);
    }
    service.delete("cup").await.unwrap();
    world.until_delivered().await;
    assert_eq!(wallets.reserved(), [cup(0)]);
    let awards = vec![award(1, "Cup", 400), award(2, "Cup", 50)];
    service.apply(of(awards.clone())).await;
    world.until_delivered().await;
    assert_eq!(wallets.reserved(), [cup(0), cup(450)], "another tournament, another reservation");

    // One of two places is won.
    world.advance(Duration::minutes(2));
    service.record(&id("cup"), world.player(), 9).await;
    world.advance(Duration::hours(2));
    service.until_settled(&id("cup")).await;
    world.until_delivered().await;
    assert_eq!(wallets.reserved(), [cup(0), cup(400)]);
    let paid = wallets.paid();
    assert_eq!(paid.len(), 1);
    assert_eq!(paid[0].reservation_id, wallets.reservation_of(400));

    let translated = TournamentManifest { description_sw: "Mashindano.".to_owned(), ..of(awards) };
    assert_eq!(service.try_apply(translated).await.unwrap(), Change::Updated);
    world.until_delivered().await;
    assert_eq!(wallets.reserved(), [cup(0), cup(400)]);
}

#[tokio::test]
async fn what_was_reserved_for_a_manifest_that_is_not_applied_is_freed() {
    let service = Service::start().await;
    let world = service.world.clone();
    let big = TournamentManifest { awards: vec![award(1, "Car", 20_000)], ..manifest("cup") };
    let refused = service.try_apply(big).await.unwrap_err();
    assert_eq!(reason(&refused), "NEEDS_SECOND_OPERATOR");
    world.until_delivered().await;
    assert_eq!(world.wallets.reserved(), [("cup".to_owned(), 0)]);

    // A reservation whose manifest is refused afterwards is compared within a minute.
    service
        .apply(TournamentManifest { awards: vec![award(1, "Cup", 500)], ..manifest("on") })
        .await;
    world.advance(Duration::minutes(1));
    let more = TournamentManifest { awards: vec![award(1, "Cup", 900)], ..manifest("on") };
    assert_eq!(field(&service.try_apply(more).await.unwrap_err()).0, "awards");
    let now = "UPDATE outbox SET due_at = now()";
    sqlx::query(now).execute(&world.database.pool).await.unwrap();
    world.until_delivered().await;
    assert_eq!(world.wallets.reserved()[1], ("on".to_owned(), 500));
    service.delete("on").await.unwrap();
    world.until_delivered().await;
    assert_eq!(world.wallets.reserved(), [("cup".to_owned(), 0), ("on".to_owned(), 0)]);
}

#[tokio::test]
async fn a_tournament_is_not_published_with_cash_that_is_not_there() {
    let service = Service::start().await;
    let cup = TournamentManifest { awards: vec![award(1, "Cup", 500)], ..manifest("cup") };
    service.world.wallets.spent.store(1, Ordering::SeqCst);
    let refused = service.try_apply(cup.clone()).await.unwrap_err();
    assert_eq!(reason(&refused), "PROMOTIONS_SPENT");
    assert_eq!(service.world.count("SELECT count(*) FROM tournament").await, 0);
    service.world.wallets.spent.store(0, Ordering::SeqCst);
    assert_eq!(service.try_apply(cup).await.unwrap(), Change::Created);
}

#[tokio::test]
async fn a_tournament_with_scores_is_deleted_once_it_is_settled() {
    let service = Service::start().await;
    let id = service.apply(manifest("cup")).await;
    service.apply(manifest("empty")).await;
    assert_eq!(service.delete("empty").await.unwrap(), Change::Deleted);
    assert_eq!(service.delete("empty").await.unwrap(), Change::Unchanged);
    let player = service.world.player();
    service.record(&id, player, 1).await;
    assert_eq!(reason(&service.delete("cup").await.unwrap_err()), "TOURNAMENT_HAS_SCORES");

    service.world.advance(Duration::hours(2));
    service.until_settled(&id).await;
    let changed = TournamentManifest { name: "Other".to_owned(), ..manifest("cup") };
    assert_eq!(field(&service.try_apply(changed).await.unwrap_err()).0, "name");
    // This read caches the final board for a while, unless the tournament is deleted.
    assert_eq!(service.board(&id, player).await.players, 1);
    assert_eq!(service.delete("cup").await.unwrap(), Change::Deleted);
    let request = GetLeaderboardRequest { tournament_id: id, ..GetLeaderboardRequest::default() };
    let gone = service.try_board(player, request).await.unwrap_err();
    assert_eq!(reason(&gone), "TOURNAMENT_NOT_FOUND");

    assert_eq!(service.world.count("SELECT count(*) FROM final_standing").await, 0);
    assert_eq!(service.world.count("SELECT count(*) FROM fame").await, 1);
    assert_eq!(service.changes().await.last().unwrap().2, "Deleted");
}

#[tokio::test]
async fn manifests_are_listed_in_pages_by_key() {
    let service = Service::start().await;
    for key in ["c", "a", "e", "b", "d"].map(|letter| format!("cup-{letter}")) {
        service.apply(manifest(&key)).await;
    }
    let (mut keys, mut after_key) = (Vec::new(), String::new());
    loop {
        let request = ListTournamentManifestsRequest { page_size: 2, after_key };
        let page = service.admin.clone().list_tournament_manifests(request).await.unwrap();
        let page = page.into_inner().tournaments;
        let Some(last) = page.last() else { break };
        after_key = last.key.clone();
        keys.extend(page.into_iter().map(|tournament| tournament.key));
    }
    assert_eq!(keys, ["cup-a", "cup-b", "cup-c", "cup-d", "cup-e"]);
}

#[tokio::test]
async fn the_gateway_is_no_operator() {
    let service = Service::start().await;
    let gateway = testkit::upstream("gateway", "svc-tournament", service.running.addr);
    let mut gateway = TournamentAdminServiceClient::new(gateway);
    let request = ListTournamentManifestsRequest::default();
    let refused = gateway.list_tournament_manifests(request).await.unwrap_err();
    assert_eq!(refused.code(), Code::PermissionDenied);
}
