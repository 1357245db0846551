//! svc-tournament: tournaments.

fn main() -> std::process::ExitCode {
    mesh::run("svc-tournament", svc_tournament::build)
}
