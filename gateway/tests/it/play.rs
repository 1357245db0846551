//! Games, tournaments, rooms.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use proto::{
    auth::v1::BatchGetPublicPlayersRequest,
    games::v1::{
        BeginRunRequest, CommitPieceRequest, GetGameRequest, GetRunsLeftRequest,
        GetTournamentRunRequest, StartSessionRequest, SubmitScoreRequest,
    },
    tournament::v1::{GetLeaderboardRequest, GetTournamentRequest},
};
use serde_json::{Value, json};

use crate::{
    stub::OTHER_RULES,
    world::{World, read},
};

fn game() -> Value {
    json!({
        "id": "g-1", "name": "Ajua", "packageId": "ke.playon.ajua", "description": "Mancala.",
        "gameIcon": "/play/ajua/icon.png", "trailerLink": null, "gameUrl": "https://ajua.playon-games.example/play/ajua/", "hosted": true,
        "featured": true, "world": "ajua", "levels": 3,
    })
}

fn tournament() -> Value {
    json!({
        "id": "t-1", "name": "Friday", "description": "Weekly.", "gameId": "g-1",
        "starts": "2026-11-20T09:00:00.500Z", "ends": "2026-11-20T11:00:00.500Z",
        "players": 212, "cash": 1500.5, "firstAward": "Champion", "rounds": 2, "runsPerRound": 5,
        "settled": false, "checkUrl": null,
    })
}

#[tokio::test]
async fn games_are_listed_and_read() {
    let world = World::new().await;
    let list = read(world.get("/api/games/list")).await.payload();
    assert_eq!(list[0], game());
    assert_eq!(read(world.get("/api/games/get/g-1")).await.payload(), game());
    assert_eq!(world.stub.received::<GetGameRequest>()[0].1.id, "g-1");
}

#[tokio::test]
async fn recent_games_events_and_videos_are_listed() {
    let world = World::new().await;
    let recent = read(world.get_signed_in("/api/profile/recent-games")).await.payload();
    assert_eq!(recent, json!([game()]));
    let events = read(world.get("/api/events")).await.payload();
    assert_eq!(
        events,
        json!([{
            "id": "e-1", "createdAt": "2026-11-20T09:00:00.500Z", "title": "Derby",
            "description": "On Saturday.", "eventBannerUrl": "/content/derby.svg",
        }])
    );
    let videos = read(world.get("/api/playon-tv/list")).await.payload();
    assert_eq!(
        videos,
        json!([{
            "id": "v-1", "title": "How to play", "channelUrl": "https://youtu.be/abcdefghijk",
            "primary": true, "createdAt": "2026-11-20T09:00:00.500Z",
        }])
    );
}

#[tokio::test]
async fn a_session_opens_the_game_with_its_ticket_in_the_fragment() {
    let world = World::new().await;
    let (player, token) = world.tokens.player();
    let path = "/api/games/g-1/sessions";
    let started = world.send("POST", path, r#"{"level":2}"#).bearer_auth(token);
    let session = read(started).await.payload();
    let origin = "https://ajua.playon-games.example";
    assert_eq!(
        session["gameUrl"],
        format!(
            "{origin}/play/ajua/?username={player}#session=ticket\
             &rules=%2Fplay%2Fajua%2Frules%2Ewasm%3Fabc&sha256=abc&game=g%2D1"
        )
    );
    assert_eq!(session["seed"], json!(null), "the seed comes with the run");
    let rules = json!({ "url": format!("{origin}/play/ajua/rules.wasm?abc"), "sha256": "abc" });
    assert_eq!(session["rules"], rules);
    assert_eq!(world.stub.received::<StartSessionRequest>()[0].1.game_id, "g-1");
    assert_eq!(session["runsLeft"], json!(null));
    let guest = read(world.send("POST", path, "{}")).await;
    assert_eq!(guest.status, 401);
}

#[tokio::test]
async fn a_session_in_a_tournament_names_it_in_the_query_and_counts_the_runs_left() {
    let world = World::new().await;
    let (player, token) = world.tokens.player();
    let body = r#"{"tournamentId":"t-1"}"#;
    let started = world.send("POST", "/api/games/g-1/sessions", body).bearer_auth(token);
    let session = read(started).await.payload();
    let url = session["gameUrl"].as_str().unwrap();
    assert!(url.contains(&format!("/?username={player}&tournamentId=t%2D1#session=")), "{url}");
    assert_eq!(session["runsLeft"], 4);
    assert_eq!(world.stub.received::<StartSessionRequest>()[0].1.tournament_id, "t-1");
}

#[tokio::test]
async fn a_run_is_watched_on_the_games_page_with_its_inputs_in_the_fragment() {
    let world = World::new().await;
    let run = read(world.get_signed_in("/api/tournaments/t-1/runs/p-7")).await.payload();
    let fragment = "watch=1&seed=-7&nextSeeds=8,-9&level=2&rules=%2Fplay%2Fajua%2Frules%2Ewasm%3Fabc&sha256=abc\
                    &game=g%2D1&points=4711&inputs=Af8D";
    let page = "https://ajua.playon-games.example/play/ajua/";
    assert_eq!(
        run,
        json!({
            "userId": "p-7", "gameId": "g-1", "hosted": true, "points": 4711, "reachedAt": "2026-11-20T09:00:00.500Z",
            "watchUrl": format!("{page}#{fragment}&tournament=t%2D1"),
        })
    );
    let asked = &world.stub.received::<GetTournamentRunRequest>()[0].1;
    assert_eq!((asked.tournament_id.as_str(), asked.player_id.as_str()), ("t-1", "p-7"));
    let best = read(world.get_signed_in("/api/games/g-1/best-run")).await.payload();
    assert_eq!(best["watchUrl"], format!("{page}#{fragment}"));
}

#[tokio::test]
async fn a_board_has_names_which_are_read_once() {
    let world = World::new().await;
    let path = "/api/tournament-leaderboards/t-1";
    let body = r#"{"page":2,"pageSize":30}"#;
    let (_, token) = world.tokens.player();
    for _ in 0..2 {
        let page = world.send("POST", path, body).bearer_auth(&token);
        let board = read(page).await.payload();
        assert_eq!(board["content"][0]["rank"], 1);
        assert_eq!(board["content"][0]["username"], "amina");
        assert_eq!(board["content"][0]["former"], false);
        assert_eq!(board["content"][1]["username"], json!(null));
        assert_eq!(board["content"][1]["former"], true, "an account that is gone");
        assert_eq!(board["content"][1]["points"], 4711);
        assert_eq!((&board["last"], &board["totalElements"]), (&json!(false), &json!(212)));
        assert_eq!(board["me"], json!({ "rank": 97, "points": 4711 }));
        let due_at = "2026-11-20T09:00:00.500Z";
        let prize = json!({
            "amount": 500, "state": "PENDING", "dueAt": due_at, "needsPhone": false, "reason": null,
        });
        assert_eq!(board["prizes"], json!([prize]));
    }
    let asked = world.stub.received::<GetLeaderboardRequest>();
    assert_eq!((asked[0].1.page, asked[0].1.page_size), (2, 30));
    assert_eq!(world.stub.received::<BatchGetPublicPlayersRequest>().len(), 1);
}

#[tokio::test]
async fn awards_and_the_hall_of_fame_are_listed() {
    let world = World::new().await;
    let awards = read(world.get("/api/tournament-awards/tournament/t-1")).await.payload();
    assert_eq!(
        awards,
        json!([
            { "position": 1, "award": { "name": "Champion" }, "subscriptionPackage": { "name": "Gold" }, "cash": 1500.5 },
            { "position": 1, "award": { "name": "Champion" }, "subscriptionPackage": { "name": "Bronze" }, "cash": null },
        ])
    );
    let fame = read(world.get("/api/hall-of-fame")).await.payload();
    assert_eq!(
        fame,
        json!([{
            "id": "f-1", "title": "Friday", "description": "The fastest.", "members": ["p-1", "p-2"],
            "createdAt": "2026-11-20T09:00:00.500Z",
        }])
    );
}

#[tokio::test]
async fn anybody_reads_the_seal_of_a_tournament_and_the_proof_of_its_result() {
    let world = World::new().await;
    let seal = "01".repeat(32);
    let open = read(world.get("/api/tournaments/t-1/proof")).await;
    assert_eq!(open.header("access-control-allow-origin"), Some("*"));
    assert_eq!(
        open.payload(),
        json!({
            "seal": seal, "settled": false, "secret": null, "rounds": 0, "level": 0,
            "rulesSha256": null, "rules": null, "places": [],
        })
    );
    let settled = read(world.get("/api/tournaments/t-2/proof")).await.payload();
    let run = json!({
        "session": "s-1", "seed": i64::MIN.to_string(), "nextSeeds": ["5"],
        "inputs": STANDARD.encode([10, 1]),
    });
    assert_eq!(
        settled,
        json!({
            "seal": seal, "settled": true, "secret": "02".repeat(32), "rounds": 3, "level": 1,
            "rulesSha256": OTHER_RULES, "rules": STANDARD.encode("a module"),
            "places": [
                { "rank": 1, "userId": "p-1", "points": 4711, "run": run },
                { "rank": 2, "userId": "p-2", "points": 4711, "run": null },
            ],
        })
    );
}

#[tokio::test]
async fn a_settled_tournament_has_the_page_that_checks_its_result() {
    let world = World::new().await;
    let tournament = read(world.get("/api/tournaments/t-2")).await.payload();
    assert_eq!(
        tournament["checkUrl"],
        "https://check.playon-games.example/play/check/#tournament=t%2D1"
    );
}

#[tokio::test]
async fn a_game_sends_its_score_from_its_own_origin_without_a_token() {
    let world = World::new().await;
    let asked = read(world.call("OPTIONS", "/api/scores")).await;
    assert_eq!(asked.status, 204);
    assert_eq!(asked.header("access-control-allow-origin"), Some("*"));
    assert_eq!(asked.header("access-control-allow-methods"), Some("POST"));

    let body = json!({ "session": "ticket", "inputs": STANDARD.encode([10, 1]), "points": -7 });
    let score = read(world.send("POST", "/api/scores", &body.to_string())).await;

    assert_eq!(score.header("access-control-allow-origin"), Some("*"));
    assert_eq!(
        score.payload(),
        json!({ "points": -7, "best": 1240, "trust": "PROVEN", "rank": 4 })
    );
    let received = &world.stub.received::<SubmitScoreRequest>()[0].1;
    assert_eq!(
        (received.session.as_str(), received.inputs.as_slice()),
        ("ticket", [10, 1].as_slice())
    );
    // No other call is open to other origins.
    let other = read(world.get("/api/games/list")).await;
    assert_eq!(other.header("access-control-allow-origin"), None);
    assert_eq!(read(world.call("OPTIONS", "/api/games/list")).await.status, 405);
}

#[tokio::test]
async fn a_game_begins_its_run_from_its_own_origin_and_gets_the_seed() {
    let world = World::new().await;
    let asked = read(world.call("OPTIONS", "/api/runs")).await;
    assert_eq!(asked.header("access-control-allow-origin"), Some("*"));

    let begun = read(world.send("POST", "/api/runs", r#"{"session":"ticket"}"#)).await;

    assert_eq!(begun.header("access-control-allow-origin"), Some("*"));
    // A seed does not fit into a JSON number.
    assert_eq!(
        begun.payload(),
        json!({
            "seed": "-9007199254740993", "level": 2, "expiresAt": "2026-11-20T09:00:00.500Z",
            "nextSeeds": ["-5"], "inputs": "CgE=",
        })
    );
    assert_eq!(world.stub.received::<BeginRunRequest>()[0].1.session, "ticket");
}

#[tokio::test]
async fn a_game_commits_a_piece_from_its_own_origin_and_gets_a_seed() {
    let world = World::new().await;
    let asked = read(world.call("OPTIONS", "/api/runs/pieces")).await;
    assert_eq!(asked.header("access-control-allow-origin"), Some("*"));

    let piece = r#"{"session":"ticket","index":3,"inputs":"rAIA"}"#;
    let committed = read(world.send("POST", "/api/runs/pieces", piece)).await;

    assert_eq!(committed.header("access-control-allow-origin"), Some("*"));
    assert_eq!(committed.payload(), json!({ "seed": "11" }));
    let received = &world.stub.received::<CommitPieceRequest>()[0].1;
    assert_eq!((received.session.as_str(), received.index), ("ticket", 3));
    assert_eq!(received.inputs, [0xac, 2, 0]);
    let refused = r#"{"session":"ticket","index":-1,"inputs":""}"#;
    let refused = read(world.send("POST", "/api/runs/pieces", refused)).await;
    assert_eq!(refused.refusal(), (400, "INVALID_ARGUMENT".to_owned()));
}

#[tokio::test]
async fn a_player_reads_how_many_runs_are_left_in_a_tournament() {
    let world = World::new().await;
    let left = read(world.get_signed_in("/api/tournaments/t-1/runs-left")).await.payload();
    assert_eq!(left, json!({ "runsLeft": 3, "hasOpenRun": true, "round": 1 }));
    assert_eq!(world.stub.received::<GetRunsLeftRequest>()[0].1.tournament_id, "t-1");
}

#[tokio::test]
async fn a_score_of_the_wrong_form_is_refused_by_its_field() {
    let world = World::new().await;
    for (body, code, field) in [
        (json!({ "session": "t", "inputs": "!", "points": 1 }), "INVALID_INPUTS", "inputs"),
        (json!({ "session": "t", "inputs": "" }), "INVALID_ARGUMENT", "points"),
        (json!({ "session": "t", "inputs": "", "points": 1.5 }), "INVALID_ARGUMENT", "points"),
        (json!({ "session": "t", "inputs": "", "points": 1e10 }), "INVALID_ARGUMENT", "points"),
        (json!({ "session": 7, "inputs": "", "points": 1 }), "INVALID_ARGUMENT", "session"),
    ] {
        let refused = read(world.send("POST", "/api/scores", &body.to_string())).await;
        assert_eq!(refused.refusal(), (400, code.to_owned()), "{body}");
        assert_eq!(refused.wrong_fields(), [field], "{body}");
    }
    // 64 KiB of inputs fit; more than the largest body do not.
    let largest = STANDARD.encode(vec![1; 64 << 10]);
    let body = json!({ "session": "t", "inputs": largest, "points": 1 });
    assert_eq!(read(world.send("POST", "/api/scores", &body.to_string())).await.status, 200);
    let body = json!({ "session": "t", "inputs": largest.repeat(2), "points": 1 });
    assert_eq!(read(world.send("POST", "/api/scores", &body.to_string())).await.status, 413);
}

#[tokio::test]
async fn tournaments_are_listed_and_read() {
    let world = World::new().await;
    let list = read(world.get("/api/tournaments")).await.payload();
    assert_eq!(list, json!([tournament()]));
    let one = read(world.get("/api/tournaments/t-1")).await.payload();
    assert_eq!(one, tournament());
    assert_eq!(world.stub.received::<GetTournamentRequest>()[0].1.id, "t-1");
}

#[tokio::test]
async fn rooms_are_listed() {
    let world = World::new().await;
    assert_eq!(
        read(world.get_signed_in("/api/chat-rooms/list")).await.payload(),
        json!([{
            "id": "r-1", "chatRoomUid": "lobby", "name": "Lobby", "icon": "/media/lobby.png",
            "memberCount": 3, "onlineMemberCount": 1, "gameId": "g-1",
            "membership": {
                "unreadCount": 2,
                "lastMessage": {
                    "id": "m-52", "userId": "u-1", "chatRoomId": "r-1", "message": "Habari",
                    "chatType": "TEXT", "createdAt": "2026-11-20T09:00:00.500Z",
                    "updatedAt": "2026-11-20T09:00:00.500Z", "seq": 52,
                },
            },
        }])
    );
}
