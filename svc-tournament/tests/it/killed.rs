//! Settlements by replicas that are killed at each statement in turn.

use proto::{
    chat::v1::NotificationKind, timestamp, tournament::v1::TournamentManifest, types::v1::Money,
};
use testkit::eventually;
use time::Duration;
use types::PlayerId;

use crate::{
    harness::{Service, World, award, manifest},
    postgres_proxy::{Cut, PostgresProxy},
};

/// Whether a statement is one of the settlement. Statements of the relay, the count of players and
/// the connection checks do not count, because they run at their own times.
fn is_of_settlement(sql: &str) -> bool {
    let is_other = sql.contains("starts <= $1")
        || (sql.contains("outbox") && !sql.contains("INSERT INTO outbox"))
        || sql.contains("_sqlx")
        || sql.contains("SET players")
        || sql.contains("state = 'PENDING' AND due_at")
        || sql.contains("state = 'REVIEW' AND due_at");
    let parts = ["tournament", "standing", "award", "fame", "statement_timeout", "INTO outbox"];
    let is_own = parts.iter().any(|part| sql.contains(part));
    !is_other && (is_own || sql == "BEGIN" || sql == "COMMIT")
}

/// A tournament that is over, whose settlement was run by a replica that was killed.
struct Killed {
    id: String,
    players: Vec<PlayerId>,
    /// Whether the killed replica had settled the tournament.
    settled: bool,
}

impl World {
    /// Applies a tournament in which four players have scores.
    async fn apply_with_scores(&self, service: &Service, key: &str) -> (String, Vec<PlayerId>) {
        let now = self.clock.now();
        let id = service
            .apply(TournamentManifest {
                starts: Some(timestamp(now)),
                ends: Some(timestamp(now + Duration::hours(1))),
                awards: vec![award(1, "First", 500), award(2, "Cap", 0)],
                ..manifest(key)
            })
            .await;
        let players: Vec<PlayerId> = (0..4).map(|_| self.player()).collect();
        for (player, points) in players.iter().zip([9, 7, 5, 3]) {
            service.record(&id, *player, points).await;
        }
        (id, players)
    }

    /// Whether the tournament is settled, once the service's last connection has ended.
    async fn is_settled(&self, id: &str) -> bool {
        eventually("the end of the killed connections", || async {
            let left = "SELECT count(*) FROM pg_stat_activity
                WHERE datname = current_database() AND usename = 'svc_tournament_user'";
            (self.count(left).await == 0).then_some(())
        })
        .await;
        sqlx::query_scalar("SELECT settled_at IS NOT NULL FROM tournament WHERE id = $1::uuid")
            .bind(id)
            .fetch_one(&self.database.pool)
            .await
            .unwrap()
    }

    async fn is_notified(&self, id: &str) -> bool {
        let query = "SELECT settled_at IS NOT NULL AND notified_rank = players
            FROM tournament WHERE id = $1::uuid";
        sqlx::query_scalar(query).bind(id).fetch_one(&self.database.pool).await.unwrap()
    }

    async fn count_of(&self, table: &str, id: &str) -> i64 {
        let query = format!("SELECT count(*) FROM {table} WHERE tournament_id = $1::uuid");
        let query = sqlx::query_scalar(sqlx::AssertSqlSafe(query)).bind(id);
        query.fetch_one(&self.database.pool).await.unwrap()
    }

    /// Asserts that everything that a settlement does was done once.
    async fn assert_settled_once(&self, killed: &Killed, context: &str) {
        eventually("the settlement and its deliveries", || async {
            // Checked in this order, because the outbox rows are written before the tournament is
            // marked as notified.
            let is_notified = self.is_notified(&killed.id).await;
            let waiting = self
                .count(
                    "SELECT (SELECT count(*) FROM outbox)
                        + (SELECT count(*) FROM award_given WHERE state = 'PENDING')",
                )
                .await;
            (is_notified && waiting == 0).then_some(())
        })
        .await;
        for (table, rows) in
            [("standing", 0), ("final_standing", 4), ("award_given", 2), ("fame", 1)]
        {
            assert_eq!(self.count_of(table, &killed.id).await, rows, "{table} {context}");
        }
        let players: Vec<String> = killed.players.iter().map(ToString::to_string).collect();
        let mut paid = self.wallets.paid();
        paid.retain(|award| players.contains(&award.player_id));
        let paid: Vec<_> = paid.iter().map(|award| (&award.player_id, award.amount)).collect();
        assert_eq!(paid, [(&players[0], Some(Money { cents: 50_000 }))], "{context}");
        let mut notified = self.notifications.stored();
        notified.retain(|one| players.contains(&one.player_id));
        notified.sort_by_key(|one| one.params["rank"].clone());
        let notified: Vec<_> = notified.iter().map(|one| (&one.player_id, one.kind())).collect();
        let expected = [
            (&players[0], NotificationKind::CashAwardWon),
            (&players[1], NotificationKind::AwardWon),
            (&players[2], NotificationKind::TournamentResult),
            (&players[3], NotificationKind::TournamentResult),
        ];
        assert_eq!(notified, expected, "{context}");
    }
}

/// Kills replicas at their first, second, third … statement of a settlement, until a replica
/// finishes before it is killed. Returns the tournament of each, whose settlement a healthy replica
/// has completed.
async fn kill_at_each_statement(cut: Cut) -> Vec<Killed> {
    let world = World::new().await;
    let mut healthy = world.start().await;
    let mut all = Vec::new();
    for at in 1.. {
        let (id, players) = world.apply_with_scores(&healthy, &format!("cup-{at}")).await;
        assert!(healthy.running.stop().await);
        world.advance(Duration::hours(2));

        let url = &world.args.database_url;
        let proxy = PostgresProxy::start(url, at, cut, is_of_settlement).await;
        let doomed = world.start_by(proxy.url.clone()).await;
        eventually("the cut, or the end of the settlement", || async {
            (proxy.is_dead() || world.is_notified(&id).await).then_some(())
        })
        .await;
        proxy.kill();
        // The statement may have come after the end of the settlement, in the next round.
        let seen = proxy.seen();
        let was_killed = seen.len() >= at;
        doomed.shutdown.stop();
        drop(doomed);
        let settled = world.is_settled(&id).await;
        // Ends the lease of the outbox rows that the killed relay had taken.
        sqlx::query("UPDATE outbox SET due_at = now()")
            .execute(&world.database.pool)
            .await
            .unwrap();

        healthy = world.start().await;
        let killed = Killed { id, players, settled };
        let context = format!("{cut:?} {at}: {:?}", seen.last());
        world.assert_settled_once(&killed, &context).await;
        all.push(killed);
        if !was_killed {
            // A replica was killed at each of these statements.
            for part in [
                "closed_at = ",
                "closed_xid = ",
                "INTO final_standing",
                "INTO award_given",
                "INTO outbox",
                "INTO fame",
                "DELETE FROM standing",
                "settled_at = ",
                "notified_rank = ",
                "COMMIT",
            ] {
                assert!(seen.iter().any(|sql| sql.contains(part)), "{part}");
            }
            return all;
        }
    }
    unreachable!("the settlement ends")
}

#[tokio::test]
async fn a_settlement_that_is_killed_before_any_statement_ends_the_same() {
    let all = kill_at_each_statement(Cut::Before).await;
    assert!(all.len() > 20 && all.iter().any(|killed| !killed.settled));
}

#[tokio::test]
async fn a_settlement_that_is_killed_after_any_statement_ends_the_same() {
    let all = kill_at_each_statement(Cut::After).await;
    // Some replicas were killed after the commit was done, when its reply was lost.
    assert!(all.len() > 20 && all.iter().any(|killed| !killed.settled));
    assert!(all[..all.len() - 1].iter().any(|killed| killed.settled));
}
