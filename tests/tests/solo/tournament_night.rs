//! A whole tournament: an operator publishes it, players play, cheats are refused, the tournament
//! ends while svc-tournament is killed again and again, and each prize is paid once.

use std::time::Duration;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use journeys::{LiveStream, Mesh, Operator, Player, Process, StreamItem, eventually, within};
use proto::{
    live::v1::{StandingUpdate, SubscribeRequest, live_event::Event},
    timestamp,
    tournament::v1::{AwardManifest, Tier, TournamentManifest},
    types::v1::Money as Cents,
};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tokio::time::sleep;
use types::Money;

/// How long the tournament lasts, from its publication. All runs are played in it, also on a
/// machine that compiles meanwhile.
const NIGHT: Duration = Duration::from_secs(40);
/// The time limit for the settlement. A run that was started in time may be submitted until 40 s
/// after the end.
const SETTLED: Duration = Duration::from_mins(3);
/// Runs of a player.
const RUNS: u32 = 2;

#[tokio::test]
async fn the_prizes_of_a_night_are_paid_once_though_svc_tournament_is_killed_while_it_settles() {
    let mesh = Mesh::alone();
    let [amina, brian, chebet, daudi] = [
        mesh.new_player().await,
        mesh.new_player().await,
        mesh.new_player().await,
        mesh.new_player().await,
    ];
    // A prize is paid to a player who has proven a phone.
    for winner in [&amina, &brian] {
        winner.prove_phone(&winner.phone).await;
    }
    let night = Night::publish(&mesh).await;
    let reserved = Operator::of(&mesh).reserved(&night.name).await;
    assert_eq!(reserved, Some(Money::from_shillings(800)));
    let mut places = night.watch(&daudi).await;
    let points = night.play(&daudi, [3, 0]).await;
    assert_eq!(place(&mut places, 1).await, (1, points), "alone on the board");
    night.play(&amina, [9, 0]).await;
    night.play(&brian, [7, 0]).await;
    // Chebet reaches the same points as Brian later, by other inputs.
    night.play(&chebet, [0, 7]).await;
    assert_eq!(place(&mut places, 4).await, (4, points), "three are before Daudi");

    night.refuse_cheats(&daudi).await;
    let spent = night.start(&daudi).await;
    assert_eq!(spent.refusal(), (422, "NO_RUNS_LEFT"));
    let board = night.board(&brian).await;
    let order = [&amina, &brian, &chebet, &daudi].map(|player| player.uid.as_str());
    assert_eq!(users(&board), order, "ties go to who was first");
    assert_eq!(board["me"]["rank"], 2);
    assert_eq!(board["totalElements"], 4);

    let sealed = night.proof(&mesh).await;
    assert_eq!((&sealed["settled"], &sealed["secret"]), (&json!(false), &Value::Null));
    night.kill_until_settled(&mesh).await;

    night.assert_settled(&mesh, &order, [&amina, &brian, &chebet, &daudi]).await;
    let proof = night.proof(&mesh).await;
    assert_eq!(proof["seal"], sealed["seal"]);
    let secret = hex::decode(proof["secret"].as_str().expect("a secret")).expect("a secret");
    assert_eq!(proof["seal"], hex::encode(Sha256::digest(secret)));
    let proven = proof["places"].as_array().expect("places").iter();
    let proven: Vec<_> = proven.map(|place| place["userId"].as_str().unwrap_or("")).collect();
    assert_eq!(proven, order, "all four places are among those with awards");
    assert!(
        proof["places"].as_array().expect("places").iter().all(|place| place["run"].is_object())
    );
    // Another restart repeats no prize and no notification.
    Process::find(&mesh, "svc-tournament").kill().await.restart().await;
    eventually("the gateway reaches svc-tournament again", || async {
        (mesh.get("/tournaments").await.status == 200).then_some(())
    })
    .await;
    night.assert_settled(&mesh, &order, [&amina, &brian, &chebet, &daudi]).await;
    within(SETTLED, "the prize that no player won is free again", || async {
        Operator::of(&mesh).reserved(&night.name).await.is_none().then_some(())
    })
    .await;
    mesh.prove().await;
}

/// A tournament whose players play ten ticks a run.
struct Night {
    name: String,
    game: String,
    id: String,
}

impl Night {
    async fn publish(mesh: &Mesh) -> Self {
        let operator = Operator::of(mesh);
        let name = format!("n-{}", mesh.unique_id());
        let game = operator.apply_counter_game(&name).await;
        let now = mesh.clock().now();
        let award = |position, name: &str, shillings: i64| AwardManifest {
            position,
            name: name.to_owned(),
            tier: Tier::Bronze.into(),
            cash: (shillings > 0).then_some(Cents { cents: shillings * 100 }),
            ..AwardManifest::default()
        };
        let tournament = TournamentManifest {
            key: name.clone(),
            name: name.clone(),
            description: "Ten ticks".to_owned(),
            game: name.clone(),
            starts: Some(timestamp(now - Duration::from_secs(1))),
            ends: Some(timestamp(now + NIGHT)),
            rounds: 1,
            runs_per_round: RUNS,
            awards: vec![
                award(1, "Gold", 500),
                award(2, "Silver", 200),
                award(3, "A scarf", 0),
                award(9, "Of no player", 100),
            ],
            ..TournamentManifest::default()
        };
        let id = operator.apply_tournament(tournament).await;
        Self { name, game, id }
    }

    /// What anybody needs to check the result.
    async fn proof(&self, mesh: &Mesh) -> Value {
        mesh.get(&format!("/tournaments/{}/proof", self.id)).await.ok()
    }

    async fn start(&self, player: &Player) -> journeys::Reply {
        let body = json!({"tournamentId": self.id});
        player.post(&format!("/games/{}/sessions", self.game), &body).await
    }

    /// Starts a session and begins its run, as the game's page does.
    async fn begin(&self, player: &Player) -> BegunRun {
        let session = self.start(player).await.ok()["session"].clone();
        let run = player.post("/runs", &json!({"session": session})).await.ok();
        assert_eq!(run["nextSeeds"].as_array().map(Vec::len), Some(1), "the run is live");
        BegunRun { session }
    }

    /// Plays a run that scores in its first `first` and its last `last` ticks; returns its points.
    async fn play(&self, player: &Player, [first, last]: [u8; 2]) -> i32 {
        let run = self.begin(player).await;
        let points = i32::from(first + last);
        let score = self.submit(player, &run, [first, last], points).await.ok();
        assert_eq!((&score["trust"], &score["points"]), (&json!("PROVEN"), &json!(points)));
        points
    }

    /// Submits a run without the player's token: the session authorises it.
    async fn submit(
        &self,
        player: &Player,
        run: &BegunRun,
        [first, last]: [u8; 2],
        points: i32,
    ) -> journeys::Reply {
        let pairs = [(first, 1), (10 - first - last, 0), (last, 1)];
        let inputs: Vec<u8> = pairs
            .into_iter()
            .filter(|(steps, _)| *steps > 0)
            .flat_map(|(steps, input)| [steps, input])
            .collect();
        let body = json!({
            "session": run.session, "inputs": STANDARD.encode(inputs), "points": points,
        });
        player.post("/scores", &body).await
    }

    /// Plays the player's second run, which claims a point too many, and asserts that it is used up
    /// after the refusal.
    async fn refuse_cheats(&self, player: &Player) {
        let run = self.begin(player).await;
        let left = player.get(&format!("/tournaments/{}/runs-left", self.id)).await.ok();
        assert_eq!(left["runsLeft"], 0);
        let cheat = self.submit(player, &run, [5, 0], 6).await;
        assert_eq!(cheat.refusal(), (422, "SCORE_REFUSED"));
        let honest = self.submit(player, &run, [5, 0], 5).await;
        assert_eq!(honest.refusal(), (409, "SESSION_USED"));
    }

    async fn board(&self, player: &Player) -> Value {
        let path = format!("/tournament-leaderboards/{}", self.id);
        player.post(&path, &json!({"page": 0, "pageSize": 15})).await.ok()
    }

    async fn watch(&self, player: &Player) -> LiveStream {
        let tournament_ids = vec![self.id.clone()];
        let request = SubscribeRequest { tournament_ids, ..SubscribeRequest::default() };
        let call = LiveStream::call_for(player.mesh(), &request);
        LiveStream::open(call.bearer_auth(&player.access_token)).await
    }

    /// Kills svc-tournament while the tournament ends and settles, at different moments and with
    /// longer and longer pauses, so that the settlement finishes in the end.
    async fn kill_until_settled(&self, mesh: &Mesh) {
        let pause = Duration::from_millis(170);
        let mut pauses = 1_u32;
        within(SETTLED, "the tournament is settled", || {
            pauses += 1;
            async move {
                let tournament = mesh.get(&format!("/tournaments/{}", self.id)).await;
                if tournament.status == 200 && tournament.ok()["settled"] == true {
                    return Some(());
                }
                let service = Process::find(mesh, "svc-tournament");
                service.kill().await.restart().await;
                sleep(pause * pauses.min(20)).await;
                None
            }
        })
        .await;
    }

    async fn assert_settled(&self, mesh: &Mesh, order: &[&str; 4], players: [&Player; 4]) {
        let prizes = [
            (500, "CASH_AWARD_WON"),
            (200, "CASH_AWARD_WON"),
            (0, "AWARD_WON"),
            (0, "TOURNAMENT_RESULT"),
        ];
        for (player, (shillings, kind)) in players.into_iter().zip(prizes) {
            let prize = Money::from_shillings(shillings);
            within(SETTLED, "the prize is in the wallet", || async {
                (player.balance().await == prize).then_some(())
            })
            .await;
            let history = player.transactions().await;
            assert_eq!(history.len(), usize::from(shillings > 0), "{history:?}");
            let kinds = within(SETTLED, "the player is notified of the end", || async {
                let list = player.get("/profile/notifications").await.ok();
                let kinds = list.as_array()?.iter().map(|one| one["kind"].clone());
                let kinds: Vec<_> = kinds.filter(|kind| kind != "PAYOUT_PHONE_ADDED").collect();
                (!kinds.is_empty()).then_some(kinds)
            })
            .await;
            assert_eq!(kinds, [kind]);
        }
        let [winner, _, _, last] = players;
        let board = self.board(winner).await;
        assert_eq!(users(&board), order.as_slice());
        assert_eq!(board["settled"], true);
        let fame = mesh.get("/hall-of-fame").await.ok();
        let entries: Vec<_> = fame
            .as_array()
            .unwrap()
            .iter()
            .filter(|entry| entry["title"] == self.name.as_str())
            .collect();
        assert_eq!(entries.len(), 1, "{fame}");
        assert_eq!(entries[0]["members"], json!(order[..3]));
        assert_eq!(self.start(last).await.refusal(), (422, "TOURNAMENT_NOT_ON"));
        let run = |player: &Player| format!("/tournaments/{}/runs/{}", self.id, player.uid);
        let watched = last.get(&run(winner)).await.ok();
        assert!(watched["watchUrl"].as_str().unwrap().contains("#watch=1&"), "{watched}");
        assert_eq!(winner.get(&run(last)).await.refusal(), (404, "RUN_NOT_FOUND"));
    }
}

/// A session whose run has begun.
struct BegunRun {
    session: Value,
}

fn users(board: &Value) -> Vec<&str> {
    let entries = board["content"].as_array().unwrap();
    entries.iter().map(|entry| entry["userId"].as_str().unwrap()).collect()
}

/// The rank and the points of the first state with `players` players.
async fn place(stream: &mut LiveStream, players: u64) -> (u64, i32) {
    loop {
        match stream.next().await {
            StreamItem::Event(Event::Standing(StandingUpdate {
                rank,
                points,
                players: at,
                ..
            })) if at == players => return (rank, points),
            StreamItem::Event(
                Event::Standing(_) | Event::Heartbeat(_) | Event::Paused(_) | Event::Resumed(_),
            ) => {}
            other => panic!("instead of a place: {other:?}"),
        }
    }
}
