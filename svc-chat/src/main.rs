//! svc-chat: chat rooms, and players' notifications.

fn main() -> std::process::ExitCode {
    mesh::run("svc-chat", svc_chat::build)
}
