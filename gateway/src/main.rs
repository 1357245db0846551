//! The gateway's process.

fn main() -> std::process::ExitCode {
    mesh::run("gateway", gateway::build)
}
