//! svc-auth: identity and the player.

fn main() -> std::process::ExitCode {
    mesh::run("svc-auth", svc_auth::build)
}
