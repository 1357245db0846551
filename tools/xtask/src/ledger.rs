//! `prove`: all postings of the ledger sum to nothing and every balance is the
//! sum of its postings, or here is what is broken.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use crate::apt::{Tool, require};
use crate::checkout::Checkout;
use crate::instance::Instance;
use crate::stores::{database_urls, database_variable};

/// The query: it returns rows only for what is broken.
const PROOF: &str = "svc-wallet/proof.sql";

/// Proves the ledger that `WALLET_DATABASE_URL` names; the developer's own
/// otherwise.
pub(crate) fn prove() -> Result<()> {
    let checkout = Checkout::find()?;
    let url = match std::env::var(database_variable("wallet")) {
        Ok(url) => url,
        Err(_) => wallet_url(&Instance::dev(&checkout)?)?,
    };
    prove_at(&checkout, &url)
}

/// Where the wallet of an instance keeps its ledger.
pub(crate) fn wallet_url(instance: &Instance) -> Result<String> {
    let variable = database_variable("wallet");
    let mut urls = database_urls(instance)?.into_iter();
    urls.find_map(|(name, url)| (name == variable).then_some(url)).context("there is no wallet")
}

/// Proves one ledger.
pub(crate) fn prove_at(checkout: &Checkout, url: &str) -> Result<()> {
    let tools = require(&[Tool::Postgres])?;
    let psql = tools.first().map(|folder| folder.join("psql")).unwrap_or_default();
    let proof = checkout.root.join(PROOF);
    let rows = ask(&psql, url, &proof, &["--csv", "-t"])?;
    if rows.trim().is_empty() {
        say!("the ledger is whole: postings sum to nothing, balances equal their postings");
        return Ok(());
    }
    eprintln!("{}", ask(&psql, url, &proof, &[])?);
    bail!("the ledger is broken: {} row(s) of {PROOF} above", rows.lines().count())
}

fn ask(psql: &Path, url: &str, proof: &Path, form: &[&str]) -> Result<String> {
    let output = Command::new(psql)
        .args(["-X", "-q", "-v", "ON_ERROR_STOP=1"])
        .args(form)
        .arg("-f")
        .arg(proof)
        .arg(url)
        .output()
        .context("cannot run psql")?;
    if !output.status.success() {
        bail!("the proof could not be run: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
