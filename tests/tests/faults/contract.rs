//! Thousands of calls that the OpenAPI document allows, and as many that it does not, by
//! Schemathesis: no reply is a server error, and each has a status, a type and a form that the
//! document names.

use std::{env, process::Command};

use journeys::Mesh;
use serde_json::json;

use crate::report;

/// Calls for each operation, at most.
const EXAMPLES: &str = "200";
/// The operations that are left out: those that end the session, and the live stream, whose refusals
/// are gRPC trailers.
const LEFT_OUT: &str = "^(authSignOut|authSignOutEverywhere|profileDelete|liveSubscribe)$";
/// What each reply is checked for.
const CHECKS: &str = "not_a_server_error,status_code_conformance,content_type_conformance,\
                      response_headers_conformance,response_schema_conformance,\
                      unsupported_method,ignored_auth";

#[tokio::test]
#[ignore = "takes minutes, on a mesh of its own: cargo xtask faults --only contract"]
async fn contract() {
    let mesh = Mesh::alone();
    let player = mesh.new_player().await;
    let document = concat!(env!("CARGO_MANIFEST_DIR"), "/../gateway/openapi.json");
    let mut command = Command::new(env::var_os("SCHEMATHESIS").expect("run `cargo xtask faults`"));
    command.args(["run", document, "--url", mesh.url(), "--checks", CHECKS]);
    command.args(["--header", &format!("Authorization: Bearer {}", player.access_token)]);
    command.args(["--phases", "coverage,fuzzing", "--max-examples", EXAMPLES]);
    command.args(["--exclude-operation-id-regex", LEFT_OUT, "--continue-on-failure"]);
    // These warnings are of operations that one player without money or rooms cannot carry out.
    command.args(["--suppress-health-check", "all", "--warnings", "off", "--no-color"]);
    // Schemathesis keeps what it found in its folder.
    command.current_dir(report::folder());
    let done = command.output().expect("Schemathesis runs");
    let text = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success(), "{text}{}", String::from_utf8_lossy(&done.stderr));
    player.profile().await;
    let number = |mark: &str| -> u64 {
        let (before, _) = text.split_once(mark).expect("a count");
        before.rsplit(' ').next().unwrap().parse().expect("a number")
    };
    let (calls, operations) = (number(" generated"), number(" selected /"));
    assert!(calls > 20 * operations, "few calls: {text}");
    let markdown = format!(
        "{calls} calls of {operations} operations. Each reply was one that the document names.\n"
    );
    report::write(&markdown, &json!({ "calls": calls, "operations": operations }));
}
