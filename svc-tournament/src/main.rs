//! svc-tournament: contests over a span of time.

fn main() -> std::process::ExitCode {
    mesh::run("svc-tournament", svc_tournament::build)
}
