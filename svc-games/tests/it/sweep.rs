//! What the sweep removes, and when.

use std::time::Duration;

use testkit::eventually;

use crate::harness::Service;

const DAY: Duration = Duration::from_hours(24);
/// A press every other tick, 200 ticks: more than thumbs can make.
const INHUMAN: [u8; 4] = [1, 1, 1, 0];

impl Service {
    /// Counts sessions, counts of runs, kept inputs, runs of tournaments, and held runs with
    /// inputs.
    async fn rows(&self) -> [i64; 5] {
        [
            self.count("SELECT count(*) FROM play_session").await,
            self.count("SELECT count(*) FROM tournament_runs").await,
            self.count("SELECT count(*) FROM tournament_inputs").await,
            self.count("SELECT count(*) FROM tournament_run").await,
            self.count("SELECT count(*) FROM held_run WHERE inputs IS NOT NULL").await,
        ]
    }

    /// Advances the clock and lets a replica sweep, which it does at its start.
    async fn sweep_after(&self, time: Duration, expected: [i64; 5]) {
        self.clock.advance(time);
        let replica = self.start_replica().await;
        eventually(&format!("{expected:?}"), || async {
            (self.rows().await == expected).then_some(())
        })
        .await;
        replica.stop().await;
    }
}

#[tokio::test]
async fn rows_of_tournaments_go_in_their_time() {
    let service = Service::start().await;
    let game = service.apply_long_counter("counter").await;
    let tournament = service.board.open(&game, |_| {});
    let (_, token) = service.tokens.player();
    for inputs in [INHUMAN.repeat(100), INHUMAN.repeat(20)] {
        let mut inputs = inputs;
        let presses = i32::try_from(inputs.len() / 4).unwrap();
        if presses == 20 {
            inputs.extend([0xa0, 1, 0]);
        }
        let started = service.enter(&token, &game, &tournament).await.unwrap();
        service.clock.advance(Duration::from_secs(4));
        service.submit(&started.session, &inputs, presses * 2).await.unwrap();
    }
    assert_eq!(service.rows().await, [2, 1, 1, 1, 1]);
    // Decides on the held run as RunAdminService does.
    let decide = "UPDATE held_run SET decision = 'Refused', operator = 'an operator',
        decision_reason = 'A script.', decided_at = submitted_at";
    sqlx::query(decide).execute(&service.database.pool).await.unwrap();

    service.sweep_after(8 * DAY, [0, 0, 0, 1, 1]).await;
    service.sweep_after(83 * DAY, [0, 0, 0, 1, 0]).await;
    service.sweep_after(275 * DAY, [0, 0, 0, 0, 0]).await;
    assert_eq!(service.count("SELECT count(*) FROM held_run").await, 1, "the audit stays");
}
