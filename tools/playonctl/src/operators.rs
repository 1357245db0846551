//! Operators: their roles, and their certificates.

use std::{
    fs::{self, OpenOptions},
    io::Write,
    os::unix::fs::OpenOptionsExt as _,
    path::Path,
};

use anyhow::{Context as _, ensure};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use clap::Subcommand;
use mesh::{auth::ActChain, edges::OPERATORS, grpc::client::Outgoing};
use proto::{
    auth::v1::{
        ListActsRequest, ListOperatorsRequest, Operator, ProposedRoles, RevokeCertificateRequest,
        RevokedCertificate, SetRolesRequest,
        operator_admin_service_client::OperatorAdminServiceClient,
    },
    from_timestamp,
    types::v1 as wire,
};
use rcgen::{CertificateParams, DnType, KeyPair};
use serde_json::json;
use strum::IntoEnumIterator as _;
use time::format_description::well_known::Rfc3339;
use tonic::Status;
use types::Role;

use crate::service;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Print the operators with their roles, proposals that wait for a second operator, and the
    /// certificates that were revoked last.
    List,
    /// Set the roles of an operator; without any the operator is removed. A change that gives a
    /// role takes effect when a second operator makes it, too.
    SetRoles {
        /// The operator: the common name of their certificates.
        name: String,
        /// Comma list of content, support, finance, fair-play and platform.
        #[arg(long, value_delimiter = ',', value_parser = role)]
        roles: Vec<Role>,
    },
    /// Revoke a certificate, as soon as its key may be in other hands.
    Revoke {
        /// The serial number in hexadecimal digits, as `openssl x509 -serial` prints it.
        serial: String,
        /// The reason, for the audit.
        #[arg(long)]
        reason: String,
    },
    /// Print the audit of all calls of operators as JSON lines, and check that each follows from
    /// the one before it.
    Audit {
        /// The number and the hash of a line that was printed before, as NUMBER:HASH: the command
        /// fails unless it is there again. Only so is it seen that the audit was made anew.
        #[arg(long, value_parser = known_act)]
        known: Option<(i64, String)>,
    },
    /// Make a new key in --tls-dir, in place of the present one, and print the request for a
    /// certificate of twelve hours, which `kubectl create -f` reads. The key stays where it is.
    Request {
        /// The operator's name, for the certificate.
        #[arg(value_parser = operator_name)]
        name: String,
    },
}

/// Runs one command over a connection with the operator's certificate in a folder.
pub(crate) async fn run(
    command: Command,
    auth_url: &str,
    tls_dir: &Path,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    if let Command::Request { name } = command {
        return Ok(write!(out, "{}", certificate_request(&new_key(tls_dir)?, &name)?)?);
    }
    let connection = service::connect("svc-auth", "--auth-url", auth_url, tls_dir)?;
    run_over(connection, command, out).await
}

async fn run_over(
    connection: Outgoing,
    command: Command,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let mut client = OperatorAdminServiceClient::new(connection);
    match command {
        Command::List => {
            let reply = client.list_operators(ListOperatorsRequest {}).await.map_err(failure)?;
            let reply = reply.into_inner();
            for operator in &reply.operators {
                writeln!(out, "{}", line(operator))?;
            }
            for proposal in &reply.proposals {
                writeln!(out, "{}", proposed(proposal))?;
            }
            for certificate in &reply.revoked {
                writeln!(out, "{}", revoked(certificate))?;
            }
        }
        Command::SetRoles { name, roles } => {
            let roles = roles.into_iter().map(|role| wire::Role::from(role).into()).collect();
            let operator = Operator { name, roles };
            let line = line(&operator);
            let request = SetRolesRequest { operator: Some(operator) };
            let changed = match client.set_roles(request).await {
                Ok(reply) if reply.get_ref().changed => "changed",
                Ok(_) => "unchanged",
                Err(status) if service::needs_second_operator(&status) => {
                    writeln!(out, "proposed  {line}")?;
                    anyhow::bail!("it takes effect when a second operator does the same");
                }
                Err(status) => return Err(failure(status)),
            };
            writeln!(out, "{changed:<9} {line}")?;
        }
        Command::Revoke { serial, reason } => {
            let request = RevokeCertificateRequest { serial: serial.clone(), reason };
            let reply = client.revoke_certificate(request).await.map_err(failure)?;
            let reply = reply.into_inner();
            let changed = if reply.changed { "revoked" } else { "unchanged" };
            let of = match reply.operator.as_str() {
                "" => "no call was made with it: is the number right?".to_owned(),
                operator => format!("of {operator}"),
            };
            writeln!(out, "{changed:<9} certificate {serial}, {of}")?;
        }
        Command::Audit { known } => audit(client, known, out).await?,
        // It needs no connection, and has returned above.
        Command::Request { .. } => {}
    }
    Ok(())
}

/// Prints and checks the audit.
async fn audit(
    mut client: OperatorAdminServiceClient<Outgoing>,
    known: Option<(i64, String)>,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let mut chain = ActChain::default();
    loop {
        let request = ListActsRequest { after_number: chain.number() };
        let page = client.list_acts(request).await.map_err(failure)?.into_inner();
        for wire in page.acts {
            let act = chain.check(wire)?;
            let hash = hex::encode(chain.hash());
            if let Some((number, known)) = &known {
                ensure!(
                    act.number != *number || hash == *known,
                    "act {number} was changed, or an act before it: its hash is {hash}"
                );
            }
            let line = json!({
                "number": act.number,
                "at": act.at.format(&Rfc3339)?,
                "operator": act.operator,
                "serial": act.serial,
                "rpc": act.rpc,
                "outcome": act.outcome,
                "traceId": act.trace_id,
                "hash": hash,
            });
            writeln!(out, "{line}")?;
        }
        if page.is_last {
            let number = known.map_or(0, |(number, _)| number);
            ensure!(chain.number() >= number, "the audit ends before act {number}");
            return Ok(());
        }
    }
}

/// Reads the number and the hash of an act.
fn known_act(text: &str) -> Result<(i64, String), &'static str> {
    let act = text.split_once(':').and_then(|(number, hash)| {
        let is_hash = hash.len() == 64 && hash.chars().all(|one| one.is_ascii_hexdigit());
        Some((number.parse().ok()?, is_hash.then(|| hash.to_ascii_lowercase())?))
    });
    act.ok_or("not NUMBER:HASH of a printed line")
}

/// Reads an operator's name, as Kubernetes takes it for the name of a request, too.
fn operator_name(text: &str) -> Result<String, &'static str> {
    let is_allowed =
        |one: char| one.is_ascii_lowercase() || one.is_ascii_digit() || ".-".contains(one);
    let is_name = text.starts_with(|first: char| first.is_ascii_lowercase())
        && text.len() <= 40
        && text.chars().all(is_allowed);
    if is_name { Ok(text.to_owned()) } else { Err("not 1 to 40 of a-z, 0-9, . and -") }
}

/// Reads a role's name.
fn role(text: &str) -> Result<Role, String> {
    text.parse().map_err(|_| {
        let names: Vec<_> = Role::iter().map(|role| role.to_string()).collect();
        format!("no role; the roles are {}", names.join(", "))
    })
}

/// An operator in one line.
fn line(operator: &Operator) -> String {
    let roles: Vec<Role> = operator.roles().filter_map(|role| Role::try_from(role).ok()).collect();
    let roles: Vec<_> = roles.iter().map(Role::to_string).collect();
    let roles = if roles.is_empty() { "no role".to_owned() } else { roles.join(", ") };
    format!("{:<20} {roles}", operator.name)
}

fn proposed(proposal: &ProposedRoles) -> String {
    let operator = proposal.operator.as_ref().map(line).unwrap_or_default();
    format!("{operator}; proposed by {}, waits for a second operator", proposal.proposed_by)
}

fn revoked(certificate: &RevokedCertificate) -> String {
    let RevokedCertificate { serial, reason, revoked_by, revoked_at } = certificate;
    let at = from_timestamp(*revoked_at, "revoked_at").ok();
    let at = at.and_then(|at| at.format(&Rfc3339).ok()).unwrap_or_default();
    format!("certificate {serial} was revoked by {revoked_by}, {at}: {reason}")
}

/// Makes a key in the folder, in place of an earlier one, that only its owner can read. A key that
/// was copied is of no use with the next certificate.
fn new_key(tls_dir: &Path) -> anyhow::Result<KeyPair> {
    fs::create_dir_all(tls_dir)?;
    let file = tls_dir.join("tls.key");
    if file.exists() {
        fs::remove_file(&file).with_context(|| format!("cannot replace {}", file.display()))?;
    }
    let key = KeyPair::generate()?;
    let mut created = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&file)?;
    created.write_all(key.serialize_pem().as_bytes())?;
    Ok(key)
}

/// The request for an operator's certificate, as cert-manager reads it.
fn certificate_request(key: &KeyPair, operator: &str) -> anyhow::Result<String> {
    let mut params = CertificateParams::new([OPERATORS.to_owned()])?;
    params.distinguished_name.push(DnType::CommonName, operator);
    let request = BASE64_STANDARD.encode(params.serialize_request(key)?.pem()?);
    Ok(format!(
        "apiVersion: cert-manager.io/v1\nkind: CertificateRequest\nmetadata:\n  \
         generateName: {operator}-\n  namespace: playon-operators\nspec:\n  \
         request: {request}\n  duration: 12h\n  issuerRef: {{kind: Issuer, name: operators}}\n  \
         usages: [digital signature, client auth]\n"
    ))
}

fn failure(status: Status) -> anyhow::Error {
    service::failure("svc-auth", "--auth-url", &status)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn roles_are_typed_as_they_are_printed() {
        for name in ["content", "support", "finance", "fair-play", "platform"] {
            assert_eq!(role(name).map(|role| role.to_string()), Ok(name.to_owned()));
        }
        assert!(role("admin").unwrap_err().contains("fair-play"));
        let operator = Operator { name: "wanjiru".to_owned(), roles: vec![4, 1] };
        assert_eq!(line(&operator), "wanjiru              fair-play, content");
    }

    #[test]
    fn each_request_has_a_new_key_that_is_its_owners_alone() {
        let folder = std::env::temp_dir().join(format!("playonctl-{}", std::process::id()));
        let first = new_key(&folder).unwrap().serialize_pem();
        let key = new_key(&folder).unwrap();
        assert_ne!(key.serialize_pem(), first);
        let mode = folder.join("tls.key").metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        let request = certificate_request(&key, "wanjiru").unwrap();
        let encoded = request.lines().find_map(|line| line.trim().strip_prefix("request: "));
        let pem = BASE64_STANDARD.decode(encoded.unwrap()).unwrap();
        assert!(pem.starts_with(b"-----BEGIN CERTIFICATE REQUEST-----"));
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_name_is_one_that_kubernetes_takes() {
        assert!(operator_name("wanjiru.n").is_ok());
        for name in ["Wanjiru", "", "a b", "a: b"] {
            assert!(operator_name(name).is_err(), "{name}");
        }
    }
}
