//! Players' money.

fn main() -> std::process::ExitCode {
    mesh::run("svc-wallet", svc_wallet::build)
}
