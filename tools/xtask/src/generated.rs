//! `proto`: generated code is committed; here it is written and compared.

use anyhow::{Result, bail};

use crate::builds::Project;
use crate::checkout::Checkout;
use crate::command::{cargo, npm, run};
use crate::files::{self, Contents};

/// The folders of committed generated code.
const FOLDERS: [&str; 2] = ["proto/src/gen", "frontend/src/gen"];
/// The gateway's OpenAPI document, of which the web app's schemas are generated.
const DOCUMENT: &str = "gateway/openapi.json";

/// Lints the contract and generates the code of both languages from it; then the gateway's
/// document, and the web app's schemas from that.
pub(crate) fn write(checkout: &Checkout) -> Result<()> {
    Project::pwa(checkout).packages()?;
    run(npm(checkout).args(["run", "proto:lint"]))?;
    // With --workspace, so that cargo uses the dependencies as built for the tests.
    run(cargo(checkout).args(["test", "--workspace", "--test", "generated"]).env("BLESS", "1"))?;
    // Not before: the gateway does not compile without the code of the contract.
    run(cargo(checkout).args(["test", "--workspace", "--test", "openapi"]).env("BLESS", "1"))?;
    // It generates the schemas, too.
    run(npm(checkout).args(["run", "proto"]))
}

/// Regenerates and fails when that changed anything. The new code stays, ready to be
/// committed.
pub(crate) fn check(checkout: &Checkout) -> Result<()> {
    let before = committed(checkout)?;
    write(checkout)?;
    let changes = files::changes(&before, &committed(checkout)?);
    if !changes.is_empty() {
        bail!("generated code was out of date; commit what has changed:{}", changes.concat());
    }
    Ok(())
}

fn committed(checkout: &Checkout) -> Result<Contents> {
    let document = files::read(&checkout.root.join(DOCUMENT))?;
    let mut all = Contents::from([(DOCUMENT.into(), document)]);
    for folder in FOLDERS {
        let files = files::read_all(&checkout.root.join(folder))?.into_iter();
        all.extend(files.map(|(file, bytes)| (std::path::Path::new(folder).join(file), bytes)));
    }
    Ok(all)
}
