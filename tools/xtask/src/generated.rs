//! `proto`: writes the generated code, and compares it with the committed code.

use anyhow::{Result, bail};

use crate::builds::Project;
use crate::checkout::Checkout;
use crate::command::{cargo, run};
use crate::files;

/// The folder of the generated TypeScript.
const TYPESCRIPT: &str = "frontend/src/gen";
/// The tests that compare the generated Rust with the contract, and the gateway's OpenAPI
/// document with its routes; with `BLESS` set they write both.
const TESTS: [&str; 2] = ["generated", "openapi"];

/// Lints the contract, and generates from it the code of both languages; then generates the
/// gateway's document, and from that the web app's schemas.
pub(crate) fn write(checkout: &Checkout) -> Result<()> {
    // The tests run one after the other: the gateway does not compile without the contract's code.
    for test in TESTS {
        run(tests(checkout, &[test]).env("BLESS", "1"))?;
    }
    typescript(checkout)
}

/// Fails where the committed Rust or the document differs from what would be generated.
pub(crate) fn check_rust(checkout: &Checkout) -> Result<()> {
    run(&mut tests(checkout, &TESTS))
}

/// Regenerates the TypeScript, and fails when it changed. The new code stays, ready
/// to be committed.
pub(crate) fn check_typescript(checkout: &Checkout) -> Result<()> {
    let folder = checkout.root.join(TYPESCRIPT);
    let before = files::read_all(&folder)?;
    typescript(checkout)?;
    let changes = files::changes(&before, &files::read_all(&folder)?);
    if !changes.is_empty() {
        let changes = changes.concat();
        bail!("{TYPESCRIPT} was out of date; commit what has changed:{changes}");
    }
    Ok(())
}

fn typescript(checkout: &Checkout) -> Result<()> {
    let contract = Project::contract(checkout);
    contract.packages()?;
    contract.script("lint")?;
    contract.script("generate")
}

/// The command that runs these tests. It has --workspace, so that cargo uses the dependencies as
/// built for all tests.
fn tests(checkout: &Checkout, names: &[&str]) -> std::process::Command {
    let mut command = cargo(checkout);
    command.args(["test", "--workspace"]);
    command.args(names.iter().flat_map(|name| ["--test", name]));
    command
}
