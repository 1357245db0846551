//! svc-games: the games that can be played.

fn main() -> std::process::ExitCode {
    mesh::run("svc-games", svc_games::build)
}
