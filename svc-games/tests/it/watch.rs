//! Watching runs: which players may watch a run, and what the game's page gets.

use proto::games::v1::{
    GetBestRunRequest, GetPlayerRunRequest, GetTournamentRunRequest, ListTournamentRunsRequest,
    Run, run_service_client::RunServiceClient,
};
use tonic::{Code, Status};

use crate::harness::{Service, gain, manifest, reason, signed};

impl Service {
    async fn best_run(&self, token: &str, game: &str) -> Result<Option<Run>, Status> {
        let request = signed(token, GetBestRunRequest { game_id: game.to_owned() });
        Ok(self.play.clone().get_best_run(request).await?.into_inner().run)
    }

    async fn tournament_run(
        &self,
        token: &str,
        tournament: &str,
        player: &str,
    ) -> Result<Run, Status> {
        let (tournament_id, player_id) = (tournament.to_owned(), player.to_owned());
        let request = signed(token, GetTournamentRunRequest { tournament_id, player_id });
        Ok(self.play.clone().get_tournament_run(request).await?.into_inner().run.unwrap())
    }
}

#[tokio::test]
async fn a_player_watches_the_best_of_their_runs() {
    let service = Service::start().await;
    let game = service.apply_counter("counter").await;
    let (player, token) = service.tokens.player();
    assert_eq!(service.best_run(&token, &game).await.unwrap(), None);
    let worse = service.start_run(&token, &game, 1).await.unwrap();
    service.submit(&worse.session, &[10, 0], 0).await.unwrap();
    let best = service.start_run(&token, &game, 4).await.unwrap();
    let points = 10 * gain(best.seed);
    service.submit(&best.session, &[4, 1, 6, 1], points).await.unwrap();

    let run = service.best_run(&token, &game).await.unwrap().unwrap();

    assert_eq!((run.player_id, &run.game_id), (player.to_string(), &game));
    assert_eq!((run.points, run.seed, run.level), (points, best.seed, 4));
    assert_eq!((run.inputs, run.game_url), (vec![4, 1, 6, 1], "/play/counter/".to_owned()));
    assert_eq!(run.rules, best.started.rules);
    let (_, other) = service.tokens.player();
    assert_eq!(service.best_run(&other, &game).await.unwrap(), None);
    assert_eq!(reason(&service.best_run(&token, "game").await.unwrap_err()), "RUN_NOT_FOUND");
    assert_eq!(reason(&service.best_run("", &game).await.unwrap_err()), "UNAUTHENTICATED");
}

#[tokio::test]
async fn a_claimed_run_cannot_be_watched() {
    let service = Service::start().await;
    let game = service.apply_game(manifest("friendly"), Vec::new()).await;
    let (_, token) = service.tokens.player();
    let started = service.start_run(&token, &game, 0).await.unwrap();
    service.submit(&started.session, &[], 7).await.unwrap();
    assert_eq!(service.best_run(&token, &game).await.unwrap(), None);
}

#[tokio::test]
async fn others_watch_the_podium_once_the_tournament_is_settled() {
    let service = Service::start().await;
    let game = service.apply_counter("counter").await;
    let tournament = service.board.open(&game, |_| {});
    let (winner, winner_token) = service.tokens.player();
    let (last, last_token) = service.tokens.player();
    for (token, presses) in [(&winner_token, 9), (&last_token, 2), (&winner_token, 8)] {
        let started = service.enter(token, &game, &tournament).await.unwrap();
        let inputs = [presses, 1, 10 - presses, 0];
        service.submit(&started.session, &inputs, 2 * i32::from(presses)).await.unwrap();
    }
    let (winner, last) = (winner.to_string(), last.to_string());
    let may_watch = async |token: &str, player: &str| match service
        .tournament_run(token, &tournament, player)
        .await
    {
        Ok(run) => Some((run.player_id, run.points)),
        Err(refused) => {
            assert_eq!(reason(&refused), "RUN_NOT_FOUND");
            None
        }
    };

    let own = Some((winner.clone(), 18));
    assert_eq!(may_watch(&winner_token, &winner).await, own, "one's own at any time");
    assert_eq!(may_watch(&last_token, &winner).await, None, "before the settlement");
    let podium = vec![winner.clone()];
    service.board.change(&tournament, |round| round.podium = Some(podium));
    assert_eq!(may_watch(&last_token, &winner).await, own);
    assert_eq!(may_watch(&winner_token, &last).await, None, "not on the podium");
    assert_eq!(may_watch(&last_token, &last).await, Some((last.clone(), 4)));

    let elsewhere = service.board.open(&game, |_| {});
    for (tournament, player) in [(elsewhere.as_str(), &winner), ("tournament", &winner)] {
        let refused = service.tournament_run(&last_token, tournament, player).await.unwrap_err();
        assert_eq!(reason(&refused), "RUN_NOT_FOUND");
    }
    let refused = service.tournament_run("", &tournament, &winner).await.unwrap_err();
    assert_eq!(reason(&refused), "UNAUTHENTICATED");
}

#[tokio::test]
async fn svc_tournament_gets_the_best_runs_of_players_in_a_tournament() {
    let service = Service::start().await;
    let game = service.apply_counter("counter").await;
    let tournament = service.board.open(&game, |_| {});
    let (winner, winner_token) = service.tokens.player();
    let (last, last_token) = service.tokens.player();
    for (token, presses) in [(&winner_token, 8), (&winner_token, 9), (&last_token, 2)] {
        let started = service.enter(token, &game, &tournament).await.unwrap();
        let inputs = [presses, 1, 10 - presses, 0];
        service.submit(&started.session, &inputs, 2 * i32::from(presses)).await.unwrap();
    }
    let list = async |tournament: &str, player_ids: Vec<String>| {
        let tournament_id = tournament.to_owned();
        let request = ListTournamentRunsRequest { tournament_id, player_ids };
        let reply = service.runs.clone().list_tournament_runs(request).await;
        let runs = reply.map_err(|refused| reason(&refused))?.into_inner().runs;
        Ok(runs.into_iter().map(|run| (run.player_id, run.points, run.inputs)).collect::<Vec<_>>())
    };
    let best = (winner.to_string(), 18, vec![9, 1, 1, 0]);
    let runs = list(&tournament, vec![winner.to_string(), game.clone()]).await;
    assert_eq!(runs, Ok(vec![best]), "not those of others");
    let elsewhere = service.board.open(&game, |_| {});
    assert_eq!(list(&elsewhere, vec![winner.to_string()]).await, Ok(vec![]));
    for (tournament, players, expected) in [
        ("cup", vec![last.to_string()], "TOURNAMENT_NOT_FOUND"),
        (&tournament, vec!["me".to_owned()], "INVALID_ARGUMENT"),
        (&tournament, vec![last.to_string(); 21], "INVALID_ARGUMENT"),
    ] {
        assert_eq!(list(tournament, players).await, Err(expected.to_owned()));
    }
}

#[tokio::test]
async fn operators_watch_the_run_of_a_winner_before_the_prize_is_paid() {
    let service = Service::start().await;
    let game = service.apply_counter("counter").await;
    let tournament = service.board.open(&game, |_| {});
    let (winner, token) = service.tokens.player();
    let started = service.enter(&token, &game, &tournament).await.unwrap();
    service.submit(&started.session, &[9, 1, 1, 0], 18).await.unwrap();
    let watch = async |player_id: String| {
        let request = GetPlayerRunRequest { tournament_id: tournament.clone(), player_id };
        let reply = service.run_admin.clone().get_player_run(request).await;
        reply.map(|reply| reply.into_inner().run.unwrap()).map_err(|refused| reason(&refused))
    };
    let run = watch(winner.to_string()).await.unwrap();
    assert_eq!((run.points, run.inputs), (18, vec![9, 1, 1, 0]));
    assert_eq!(watch(game.clone()).await, Err("RUN_NOT_FOUND".to_owned()));
    assert_eq!(watch("me".to_owned()).await, Err("RUN_NOT_FOUND".to_owned()));
}

#[tokio::test]
async fn the_gateway_does_not_ask_for_open_runs() {
    let service = Service::start().await;
    let mut gateway = RunServiceClient::new(service.as_gateway());
    let request = proto::games::v1::GetOpenRunsRequest::default();
    let refused = gateway.get_open_runs(request).await.unwrap_err();
    assert_eq!(refused.code(), Code::PermissionDenied);
}
