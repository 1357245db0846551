//! svc-{{name}}: {{nouns_words}}.

fn main() -> std::process::ExitCode {
    mesh::run("svc-{{name}}", svc_{{name}}::build)
}
