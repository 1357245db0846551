//! svc-chat: chat rooms and their members.

fn main() -> std::process::ExitCode {
    mesh::run("svc-chat", svc_chat::build)
}
