//! Held runs, which are proven and look inhuman, so that an operator decides on them; and the runs of
//! players who won a prize.

use std::{io::Write, path::Path};

use anyhow::Context as _;
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use clap::Subcommand;
use mesh::grpc::client::Outgoing;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use proto::{
    from_timestamp,
    games::v1::{
        DecideHeldRunRequest, GetHeldRunRequest, GetPlayerRunRequest, HeldRun, HoldReason,
        ListHeldRunsRequest, Run, run_admin_service_client::RunAdminServiceClient,
    },
    types::v1::Change,
};
use time::format_description::well_known::Rfc3339;

use crate::service::{self, Service};

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Print the runs that no operator has decided on, the oldest first.
    List,
    /// Print one held run, and the URL at which it plays.
    Watch {
        /// The play session, as list prints it.
        session: String,
        #[command(flatten)]
        games: GamesOrigin,
    },
    /// Print the URL at which a player's best run in a tournament plays.
    WatchPlayer {
        /// The tournament, as awards list prints it.
        tournament: String,
        /// The player, as awards list prints them.
        player: String,
        #[command(flatten)]
        games: GamesOrigin,
    },
    /// Let the score count, at the time at which it was submitted. Where much cash depends on the
    /// game, two operators release the run, one after the other.
    Release(Decision),
    /// Let the score never count.
    Refuse(Decision),
}

#[derive(Debug, clap::Args)]
pub(crate) struct GamesOrigin {
    /// The origin of the games that PlayOn serves.
    #[arg(long, env = "PLAYON_GAMES_ORIGIN", default_value = "http://{slug}.localhost:8081")]
    games_origin: String,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Decision {
    /// The play session, as list prints it.
    session: String,
    /// The reason, for the audit.
    #[arg(long)]
    reason: String,
}

/// Runs one command over a connection with the operator's certificate in a folder.
pub(crate) async fn run(
    command: Command,
    games_url: &str,
    tls_dir: &Path,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let connection = service::connect("svc-games", "--games-url", games_url, tls_dir)?;
    run_over(connection, command, out).await
}

async fn run_over(
    connection: Outgoing,
    command: Command,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let mut runs = RunAdminServiceClient::new(connection);
    match command {
        Command::List => list(&mut runs, out).await,
        Command::Watch { session, games } => {
            let request = GetHeldRunRequest { session_id: session };
            let reply = runs.get_held_run(request).await;
            let reply = reply.map_err(|status| Service::Games.failure(&status))?.into_inner();
            let held = reply.run.context("a reply without the run")?;
            writeln!(out, "{}", line(&held))?;
            match reply.watch {
                Some(run) => {
                    let url = watch_url(&games.games_origin, &run, &held.tournament_id)?;
                    writeln!(out, "{url}")?;
                }
                None => writeln!(out, "its game was removed, so it cannot be watched")?,
            }
            Ok(())
        }
        Command::WatchPlayer { tournament, player, games } => {
            let request =
                GetPlayerRunRequest { tournament_id: tournament.clone(), player_id: player };
            let reply = runs.get_player_run(request).await;
            let reply = reply.map_err(|status| Service::Games.failure(&status))?.into_inner();
            let run = reply.run.context("a reply without the run")?;
            writeln!(out, "{}", watch_url(&games.games_origin, &run, &tournament)?)?;
            Ok(())
        }
        Command::Release(decision) => decide(&mut runs, decision, true, out).await,
        Command::Refuse(decision) => decide(&mut runs, decision, false, out).await,
    }
}

async fn list(
    runs: &mut RunAdminServiceClient<Outgoing>,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let mut after_session_id = String::new();
    loop {
        let request =
            ListHeldRunsRequest { page_size: 0, after_session_id: after_session_id.clone() };
        let page = runs.list_held_runs(request).await;
        let page = page.map_err(|status| Service::Games.failure(&status))?.into_inner().runs;
        let Some(last) = page.last() else { return Ok(()) };
        after_session_id.clone_from(&last.session_id);
        for held in &page {
            writeln!(out, "{}", line(held))?;
        }
    }
}

async fn decide(
    runs: &mut RunAdminServiceClient<Outgoing>,
    Decision { session, reason }: Decision,
    release: bool,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let request = DecideHeldRunRequest { session_id: session.clone(), release, reason };
    let reply = runs.decide_held_run(request).await;
    let change = reply.map_err(|status| Service::Games.failure(&status))?.into_inner().change();
    let changed = match (change, release) {
        (Change::Unchanged, _) => "unchanged",
        (_, true) => "released",
        (_, false) => "refused",
    };
    writeln!(out, "{changed:<9} {session}")?;
    Ok(())
}

/// A held run in one line.
fn line(held: &HeldRun) -> String {
    let reason = match held.reason() {
        HoldReason::InhumanRate => "inhuman rate",
        HoldReason::SameInputs => "same inputs",
        HoldReason::Unspecified => "held",
    };
    let at = from_timestamp(held.submitted_at, "submitted_at").ok();
    let at = at.and_then(|at| at.format(&Rfc3339).ok()).unwrap_or_default();
    let place = if held.tournament_id.is_empty() {
        "no tournament".to_owned()
    } else {
        format!("tournament {}", held.tournament_id)
    };
    let proposal = if held.release_proposed_by.is_empty() {
        String::new()
    } else {
        format!(", {} proposed to release it", held.release_proposed_by)
    };
    format!(
        "{}  {} {} points, {reason}: {} actions in {} s, {at}, player {}, {place}{proposal}",
        held.session_id,
        held.game_key,
        held.points,
        held.actions,
        held.elapsed_seconds,
        held.player_id
    )
}

/// The game's page with the run in its fragment, as the gateway makes it for players.
fn watch_url(origin: &str, run: &Run, tournament: &str) -> anyhow::Result<String> {
    let rules = run.rules.as_ref().context("a run without rules")?;
    let page = match run.game_url.strip_prefix("/play/").and_then(|path| path.split('/').next()) {
        Some(slug) => {
            let (before, after) =
                origin.split_once("{slug}").context("the games' origin has no {slug}")?;
            format!("{before}{slug}{}{}", after.trim_end_matches('/'), run.game_url)
        }
        None => run.game_url.clone(),
    };
    let encoded = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
    let next_seeds: Vec<_> = run.next_seeds.iter().map(ToString::to_string).collect();
    let mut url = format!(
        "{page}#watch=1&seed={}&nextSeeds={}&level={}&rules={}&sha256={}&game={}&points={}&inputs={}",
        run.seed,
        next_seeds.join(","),
        run.level,
        encoded(&rules.url),
        rules.sha256,
        encoded(&run.game_id),
        run.points,
        URL_SAFE_NO_PAD.encode(&run.inputs)
    );
    if !tournament.is_empty() {
        url.push_str("&tournament=");
        url.push_str(&encoded(tournament));
    }
    Ok(url)
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use mesh::{edges::OPERATORS, grpc::client::connect_untraced};
    use proto::games::v1::{
        DecideHeldRunResponse, GetHeldRunResponse, GetPlayerRunResponse, ListHeldRunsResponse,
        Rules,
        run_admin_service_server::{RunAdminService, RunAdminServiceServer},
    };
    use tonic::{Request, Response, Status, service::Routes};
    use types::Rng;

    use super::*;

    /// A stub with three held runs, in pages of two.
    #[derive(Clone, Default)]
    struct Stub(Arc<Mutex<Vec<DecideHeldRunRequest>>>);

    fn held(session: &str) -> HeldRun {
        HeldRun {
            session_id: session.to_owned(),
            player_id: "player".to_owned(),
            game_key: "dash".to_owned(),
            tournament_id: "night".to_owned(),
            points: 40,
            reason: HoldReason::SameInputs.into(),
            submitted_at: Some(proto::timestamp(time::OffsetDateTime::UNIX_EPOCH)),
            elapsed_seconds: 4,
            actions: 20,
            ..HeldRun::default()
        }
    }

    fn played() -> Run {
        let sha256 = "ab".repeat(32);
        let url = format!("/play/dash/rules.wasm?{sha256}");
        Run {
            game_id: "game".to_owned(),
            game_url: "/play/dash/".to_owned(),
            points: 40,
            seed: -7,
            next_seeds: vec![8, 9],
            level: 2,
            rules: Some(Rules { url, sha256 }),
            inputs: vec![0xff, 0xff, 0xbe],
            ..Run::default()
        }
    }

    #[tonic::async_trait]
    impl RunAdminService for Stub {
        async fn list_held_runs(
            &self,
            request: Request<ListHeldRunsRequest>,
        ) -> Result<Response<ListHeldRunsResponse>, Status> {
            let after = request.into_inner().after_session_id;
            let mut runs = ["1", "2", "3"].map(held);
            "wanjiru".clone_into(&mut runs[2].release_proposed_by);
            let page = runs.into_iter().filter(|run| run.session_id > after).take(2);
            Ok(Response::new(ListHeldRunsResponse { runs: page.collect() }))
        }

        async fn get_held_run(
            &self,
            request: Request<GetHeldRunRequest>,
        ) -> Result<Response<GetHeldRunResponse>, Status> {
            let session = request.into_inner().session_id;
            let (run, watch) = (Some(held(&session)), Some(played()));
            Ok(Response::new(GetHeldRunResponse { run, watch }))
        }

        async fn get_player_run(
            &self,
            request: Request<GetPlayerRunRequest>,
        ) -> Result<Response<GetPlayerRunResponse>, Status> {
            let request = request.into_inner();
            assert_eq!((&*request.tournament_id, &*request.player_id), ("night", "winner"));
            Ok(Response::new(GetPlayerRunResponse { run: Some(played()) }))
        }

        async fn decide_held_run(
            &self,
            request: Request<DecideHeldRunRequest>,
        ) -> Result<Response<DecideHeldRunResponse>, Status> {
            let mut decided = self.0.lock().unwrap();
            let change = if decided.is_empty() { Change::Updated } else { Change::Unchanged };
            decided.push(request.into_inner());
            Ok(Response::new(DecideHeldRunResponse { change: change.into() }))
        }
    }

    async fn printed(stub: &Stub, command: Command) -> String {
        let routes = Routes::new(RunAdminServiceServer::new(stub.clone()));
        let url = testkit::serve("svc-games", routes).await;
        let certificates = testkit::certificates(OPERATORS);
        let connection = connect_untraced(&url, "svc-games", certificates, Rng::system()).unwrap();
        let mut out = Vec::new();
        run_over(connection, command, &mut out).await.unwrap();
        String::from_utf8(out).unwrap()
    }

    #[tokio::test]
    async fn all_pages_of_held_runs_are_listed() {
        let text = printed(&Stub::default(), Command::List).await;
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines.len(), 3);
        assert_eq!(
            lines[2],
            "3  dash 40 points, same inputs: 20 actions in 4 s, 1970-01-01T00:00:00Z, \
             player player, tournament night, wanjiru proposed to release it"
        );
    }

    #[tokio::test]
    async fn held_runs_and_those_of_winners_have_a_url_at_which_they_play() {
        let games = || GamesOrigin { games_origin: "http://{slug}.games.test/".to_owned() };
        let command = Command::Watch { session: "2".to_owned(), games: games() };
        let text = printed(&Stub::default(), command).await;
        let sha256 = "ab".repeat(32);
        let expected = format!(
            "http://dash.games.test/play/dash/#watch=1&seed=-7&nextSeeds=8,9&level=2&rules=%2Fplay%2Fdash%2Frules%2Ewasm%3F{sha256}\
             &sha256={sha256}&game=game&points=40&inputs=__--&tournament=night"
        );
        assert_eq!(text.lines().last(), Some(expected.as_str()));
        let (tournament, player) = ("night".to_owned(), "winner".to_owned());
        let command = Command::WatchPlayer { tournament, player, games: games() };
        assert_eq!(printed(&Stub::default(), command).await, expected + "\n");
    }

    #[tokio::test]
    async fn a_decision_is_sent_with_its_reason() {
        let stub = Stub::default();
        let decision = || Decision { session: "1".to_owned(), reason: "A drummer.".to_owned() };
        assert_eq!(printed(&stub, Command::Release(decision())).await, "released  1\n");
        assert_eq!(printed(&stub, Command::Refuse(decision())).await, "unchanged 1\n");
        let sent = stub.0.lock().unwrap().clone();
        let sent: Vec<_> = sent.iter().map(|one| (one.release, one.reason.as_str())).collect();
        assert_eq!(sent, [(true, "A drummer."), (false, "A drummer.")]);
    }
}
