//! Boards of tournaments that are on.

use proto::tournament::v1::{
    GetLeaderboardRequest, RecordScoreRequest, RecordScoreResponse, ScoreTrust,
};
use testkit::{BEGINNING, eventually};
use time::Duration;
use tonic::Code;
use types::PlayerId;

use crate::harness::{Service, manifest, reason, score};

fn names(order: &[(PlayerId, i32)]) -> Vec<(String, i32)> {
    order.iter().map(|(player, points)| (player.to_string(), *points)).collect()
}

#[tokio::test]
async fn the_most_points_are_first_and_of_the_same_points_the_earliest() {
    let service = Service::start().await;
    let id = service.apply(manifest("cup")).await;
    let [a, b, c, d] = [0; 4].map(|_| service.world.player());
    for (player, points, second) in [(a, 10, 30), (b, 10, 20), (c, 12, 40), (d, -3, 10), (a, 9, 1)]
    {
        let request = score(&id, player, points, BEGINNING + Duration::seconds(second));
        service.try_record(request).await.unwrap();
    }

    assert_eq!(service.order(&id).await, names(&[(c, 12), (b, 10), (a, 10), (d, -3)]));
    let board = service.board(&id, a).await;
    assert_eq!((board.players, board.last, board.settled), (4, true, false));
    let own = board.own.unwrap();
    assert_eq!((own.player_id, own.rank, own.points), (a.to_string(), 3, 10));
    assert_eq!(service.board(&id, service.world.player()).await.own, None);
}

#[tokio::test]
async fn repeats_and_scores_out_of_order_end_the_same() {
    let service = Service::start().await;
    let players = [0; 3].map(|_| service.world.player());
    let mut requests = Vec::new();
    for (number, player) in (0_i64..).zip(players) {
        for (points, second) in [(5, 1), (20, 2), (20, 3), (7, 4)] {
            let at = BEGINNING + Duration::seconds(second * 3 + number);
            requests.push((player, points, at));
        }
    }
    let mut orders = Vec::new();
    for key in ["forwards", "backwards"] {
        let id = service.apply(manifest(key)).await;
        for (player, points, at) in &requests {
            service.try_record(score(&id, *player, *points, *at)).await.unwrap();
        }
        // Each score is recorded again, in the reverse order.
        requests.reverse();
        for (player, points, at) in &requests {
            service.try_record(score(&id, *player, *points, *at)).await.unwrap();
        }
        orders.push(service.order(&id).await);
    }
    assert_eq!(orders[0], names(&players.map(|player| (player, 20))));
    assert_eq!(orders[0], orders[1]);
}

#[tokio::test]
async fn recording_a_score_gives_the_best_and_the_rank() {
    let service = Service::start().await;
    let id = service.apply(manifest("cup")).await;
    let (a, b) = (service.world.player(), service.world.player());
    service.record(&id, a, 10).await;
    service.board(&id, a).await;

    let record = |player, points| service.try_record(score(&id, player, points, BEGINNING));
    assert_eq!(record(b, 11).await.unwrap(), RecordScoreResponse { best: 11, rank: Some(1) });
    assert_eq!(record(a, 4).await.unwrap(), RecordScoreResponse { best: 10, rank: Some(2) });
    assert_eq!(record(a, 12).await.unwrap(), RecordScoreResponse { best: 12, rank: Some(1) });
    // A replica without the board begins to load it.
    let other = service.world.start().await;
    let request = || score(&id, b, 1, BEGINNING);
    eventually("the rank", || async { other.try_record(request()).await.unwrap().rank }).await;
}

#[tokio::test]
async fn pages_of_a_board() {
    let service = Service::start().await;
    let id = service.apply(manifest("cup")).await;
    let player = service.world.player();
    for points in 0..35 {
        service.record(&id, service.world.player(), points).await;
    }
    let page = |page, page_size| {
        let request = GetLeaderboardRequest { tournament_id: id.clone(), page, page_size };
        service.try_board(player, request)
    };
    for (number, ranks, last) in [(0, 1..=15, false), (1, 16..=30, false), (2, 31..=35, true)] {
        let board = page(number, 0).await.unwrap();
        let found: Vec<u64> = board.standings.iter().map(|one| one.rank).collect();
        assert_eq!((found, board.last), (ranks.collect(), last), "{number}");
        assert!(
            board.standings.iter().all(|one| one.rank.cast_signed() == 35 - i64::from(one.points))
        );
    }
    assert!(page(1, 35).await.unwrap().standings.is_empty());
    assert!(page(0, 35).await.unwrap().last);
    for (number, size) in [(0, 101), (u32::MAX, 100)] {
        assert_eq!(page(number, size).await.unwrap_err().code(), Code::InvalidArgument);
    }
}

#[tokio::test]
async fn two_replicas_have_each_others_scores_at_once() {
    let one = Service::start().await;
    let two = one.world.start().await;
    let id = one.apply(manifest("cup")).await;
    let players = [0; 4].map(|_| one.world.player());
    for (step, points) in
        (0..40_usize).zip((0..).zip([7, 3, 9, 1, 12, 30, 2, 8].into_iter().cycle()))
    {
        let (writer, reader) = if step % 2 == 0 { (&one, &two) } else { (&two, &one) };
        let player = players[step % 4];
        let points: i32 = points.0 + points.1;
        writer.record(&id, player, points).await;
        let board = reader.board(&id, player).await;
        assert!(board.own.unwrap().points >= points, "{step}");
    }
    assert_eq!(one.order(&id).await, two.order(&id).await);
}

#[tokio::test]
async fn many_writers_and_readers_agree_in_the_end() {
    let one = Service::start().await;
    let two = one.world.start().await;
    let id = one.apply(manifest("cup")).await;
    let players: Vec<PlayerId> = (0..20).map(|_| one.world.player()).collect();
    let (service, id, all) = (&[&one, &two], &id, &players);
    let writers = (0..20_u8).map(|writer| async move {
        for step in 0..10_u8 {
            let player = all[usize::from(writer * 7 + step * 3) % 20];
            let points = (i32::from(writer) * 31 + i32::from(step) * 17) % 50;
            let at = BEGINNING + Duration::seconds(i64::from(writer % 5));
            // Unavailable calls are repeated, as svc-games does.
            let replica = service[usize::from(step % 2)];
            testkit::eventually("the score is recorded", || async {
                match replica.try_record(score(id, player, points, at)).await {
                    Err(status) if status.code() == Code::Unavailable => None,
                    recorded => Some(recorded.unwrap()),
                }
            })
            .await;
            let own = service[usize::from((step + 1) % 2)].board(id, player).await.own.unwrap();
            assert!(own.points >= points);
        }
    });
    futures_util::future::join_all(writers).await;

    let expected: Vec<(String, i32)> = sqlx::query_as(
        "SELECT player_id::text, points FROM standing ORDER BY points DESC, reached_at, player_id",
    )
    .fetch_all(&one.world.database.pool)
    .await
    .unwrap();
    assert_eq!(expected.len(), 20);
    assert_eq!(one.order(id).await, expected);
    assert_eq!(two.order(id).await, expected);
}

#[tokio::test]
async fn a_transaction_that_commits_late_is_not_missed() {
    let service = Service::start().await;
    let id = service.apply(manifest("cup")).await;
    let (late, early) = (service.world.player(), service.world.player());
    // The late score's transaction gets its id before the board is read, and commits afterwards.
    let mut tx = service.world.database.pool.begin().await.unwrap();
    sqlx::query(
        "WITH put AS (INSERT INTO standing (tournament_id, player_id, points, trust, reached_at)
         VALUES ($1::uuid, $2::uuid, 50, 'Proven', now()) RETURNING *)
         INSERT INTO standing_change (tournament_id, player_id, points, reached_at)
         SELECT tournament_id, player_id, points, reached_at FROM put",
    )
    .bind(&id)
    .bind(late.uuid())
    .execute(&mut *tx)
    .await
    .unwrap();
    for points in 1..5 {
        service.record(&id, early, points).await;
        assert_eq!(service.order(&id).await, names(&[(early, points)]));
    }
    tx.commit().await.unwrap();
    assert_eq!(service.order(&id).await, names(&[(late, 50), (early, 4)]));
}

#[tokio::test]
async fn changes_are_swept_and_boards_that_lack_them_read_anew() {
    let one = Service::start().await;
    let two = one.world.start().await;
    let world = one.world.clone();
    let id = one.apply(manifest("cup")).await;
    let [a, b, c] = [0; 3].map(|_| world.player());
    one.record(&id, a, 5).await;
    assert_eq!(two.order(&id).await, names(&[(a, 5)]));
    one.record(&id, b, 7).await;
    let changes = "SELECT count(*) FROM standing_change";
    assert_eq!(world.count(changes).await, 2);
    // Other databases of the server may have older transactions, which a mark does not pass.
    let ended = "SELECT count(*) FROM standing_change
        WHERE changed_xid < pg_snapshot_xmin(pg_current_snapshot())::text::bigint";
    eventually("the end of older transactions", || async {
        (world.count(ended).await == 2).then_some(())
    })
    .await;
    // Replicas run the sweep when they start. The first marks the changes, and the second removes
    // them.
    let marks = "SELECT extract(epoch FROM marked_at)::bigint FROM standing_sweep";
    for _ in 0..2 {
        assert_eq!(world.count(changes).await, 2);
        world.advance(Duration::minutes(16));
        let replica = world.start().await;
        eventually("the mark", || async {
            (world.count(marks).await == world.clock.now().unix_timestamp()).then_some(())
        })
        .await;
        assert!(replica.running.stop().await);
    }
    eventually("the sweep", || async { (world.count(changes).await == 0).then_some(()) }).await;
    one.record(&id, c, 6).await;
    assert_eq!(two.order(&id).await, names(&[(b, 7), (c, 6), (a, 5)]));
    assert_eq!(one.order(&id).await, two.order(&id).await);
}

#[tokio::test]
async fn of_scores_at_once_those_of_a_closed_tournament_are_refused_alone() {
    let service = Service::start().await;
    let (open, closed) =
        (service.apply(manifest("open")).await, service.apply(manifest("shut")).await);
    sqlx::query("UPDATE tournament SET closed_at = now() WHERE id = $1::uuid")
        .bind(&closed)
        .execute(&service.world.database.pool)
        .await
        .unwrap();
    let players: Vec<PlayerId> = (0..10).map(|_| service.world.player()).collect();
    let calls = (0..40_i32).map(|call| {
        let player = players[usize::try_from(call % 10).unwrap()];
        let id = if call % 5 == 0 { &closed } else { &open };
        service.try_record(score(id, player, call, BEGINNING))
    });
    let replies = futures_util::future::join_all(calls).await;
    for (call, reply) in (0..).zip(replies) {
        match reply {
            Ok(reply) => assert!(call % 5 != 0 && reply.best >= call, "{call}"),
            Err(refused) => {
                assert_eq!((call % 5, reason(&refused).as_str()), (0, "TOURNAMENT_CLOSED"));
            }
        }
    }
    let order = service.order(&open).await;
    assert_eq!((order.len(), order[0].1), (8, 39));
}

#[tokio::test]
async fn a_restarted_service_has_the_same_board() {
    let service = Service::start().await;
    let id = service.apply(manifest("cup")).await;
    for points in [3, 9, 4] {
        service.record(&id, service.world.player(), points).await;
    }
    let before = service.order(&id).await;
    let world = service.world.clone();
    assert!(service.running.stop().await);
    assert_eq!(world.start().await.order(&id).await, before);
}

#[tokio::test]
async fn scores_outside_the_tournament_are_refused() {
    let service = Service::start().await;
    let id = service.apply(manifest("cup")).await;
    let player = service.world.player();
    let end = BEGINNING + Duration::hours(1);
    for (at, accepted) in [
        (BEGINNING - Duration::microseconds(1), false),
        (BEGINNING, true),
        (end + Duration::seconds(39), true),
        (end + Duration::seconds(40), false),
    ] {
        let recorded = service.try_record(score(&id, player, 1, at)).await;
        assert_eq!(recorded.is_ok(), accepted, "{at}");
        if let Err(refused) = recorded {
            assert_eq!(refused.code(), Code::InvalidArgument);
        }
    }
    let unknown = types::content_id("Tournament", "no").to_string();
    for bad in [
        RecordScoreRequest { player_id: "nine".into(), ..score(&id, player, 1, BEGINNING) },
        RecordScoreRequest {
            trust: ScoreTrust::Unspecified.into(),
            ..score(&id, player, 1, BEGINNING)
        },
        RecordScoreRequest { reached_at: None, ..score(&id, player, 1, BEGINNING) },
    ] {
        assert_eq!(service.try_record(bad).await.unwrap_err().code(), Code::InvalidArgument);
    }
    let refused = service.try_record(score(&unknown, player, 1, BEGINNING)).await.unwrap_err();
    assert_eq!(reason(&refused), "TOURNAMENT_NOT_FOUND");
    let request = GetLeaderboardRequest { tournament_id: unknown, ..Default::default() };
    let refused = service.try_board(player, request).await.unwrap_err();
    assert_eq!(reason(&refused), "TOURNAMENT_NOT_FOUND");
}

#[tokio::test]
async fn a_tournament_that_is_applied_again_has_a_new_board() {
    let one = Service::start().await;
    let two = one.world.start().await;
    let id = one.apply(manifest("cup")).await;
    let player = one.world.player();
    one.record(&id, player, 5).await;
    assert_eq!(two.order(&id).await.len(), 1);
    // The state after the tournament was settled and removed by another replica, without a message
    // to this one.
    for statement in ["DELETE FROM standing", "DELETE FROM tournament"] {
        sqlx::query(statement).execute(&one.world.database.pool).await.unwrap();
    }
    one.apply(manifest("cup")).await;
    assert!(two.order(&id).await.is_empty());
}

#[tokio::test]
async fn guests_read_no_board() {
    let service = Service::start().await;
    let id = service.apply(manifest("cup")).await;
    let request = GetLeaderboardRequest { tournament_id: id, ..Default::default() };
    let refused = service.client.clone().get_leaderboard(request).await.unwrap_err();
    assert_eq!(refused.code(), Code::Unauthenticated);
}
