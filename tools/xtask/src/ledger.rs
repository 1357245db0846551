//! `prove`: checks that all postings of the ledger sum to zero and that every balance is the sum of
//! its postings, and prints the differences.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use crate::apt::{Tool, require};
use crate::checkout::Checkout;
use crate::instance::Instance;
use crate::stores::{database_urls, database_variable};

/// The query: each row it returns is an error.
const PROOF: &str = "svc-wallet/proof.sql";

/// Proves the ledger of `WALLET_DATABASE_URL`, or else of the developer's mesh.
pub(crate) fn prove() -> Result<()> {
    let checkout = Checkout::find()?;
    match std::env::var(database_variable("wallet")) {
        Ok(url) => prove_at(&checkout, &url),
        Err(_) => prove_instance(&checkout, &Instance::dev(&checkout)?),
    }
}

/// Proves the ledger of an instance.
pub(crate) fn prove_instance(checkout: &Checkout, instance: &Instance) -> Result<()> {
    let variable = database_variable("wallet");
    let mut urls = database_urls(instance)?.into_iter();
    let (_, url) = urls.find(|(name, _)| *name == variable).context("there is no wallet")?;
    prove_at(checkout, &url)
}

fn prove_at(checkout: &Checkout, url: &str) -> Result<()> {
    let psql = require(Tool::Postgres)?.join("psql");
    let proof = checkout.root.join(PROOF);
    let rows = query(&psql, url, &proof, &["--csv", "-t"])?;
    if rows.trim().is_empty() {
        outln!("the ledger is proven: postings sum to zero, balances equal their postings");
        return Ok(());
    }
    eprintln!("{}", query(&psql, url, &proof, &[])?);
    bail!("the ledger is broken: {} row(s) of {PROOF} above", rows.lines().count())
}

fn query(psql: &Path, url: &str, proof: &Path, format: &[&str]) -> Result<String> {
    let output = Command::new(psql)
        .args(["-X", "-q", "-v", "ON_ERROR_STOP=1"])
        .args(format)
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
