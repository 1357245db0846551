//! svc-chat: rooms.

fn main() -> std::process::ExitCode {
    mesh::run("svc-chat", svc_chat::build)
}
