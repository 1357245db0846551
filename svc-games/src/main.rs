//! svc-games: games.

fn main() -> std::process::ExitCode {
    mesh::run("svc-games", svc_games::build)
}
