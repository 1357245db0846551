//! `kind-secrets`, and the other files of the overlay for kind that are not in git.

use std::fs;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};

use crate::certificates;
use crate::checkout::Checkout;
use crate::command::in_path;
use crate::files;
use crate::secrets::Secrets;
use crate::services::{SERVICES, owner_role};
use crate::topology::{
    AUTH_SECRETS, CARRIER, DARAJA, DEVICE_SECRET, MAIL_FROM, PAYSTACK, PROVIDERS, VAPID,
};

/// The cluster of k8s/kind.yaml.
pub(crate) const CLUSTER: &str = "playon";
/// The URL of the sandbox inside a pod (decision 22).
const SANDBOX: &str = "http://127.0.0.1:8090";
/// The URL of the sandbox's certificate, in place of Safaricom's.
const CERTIFICATE: &str = "http://127.0.0.1:8090/mpesa/certificate.pem";
/// The variable with the carrier's code of the Bronze package.
const OFFER_CODE: &str = "CARRIER_OFFER_CODE";
const SANDBOX_MAIL: &str = "smtp://127.0.0.1:8025";
/// The name of the Secret with the passwords of PostgreSQL.
const SUPERUSER: &str = "postgres";

/// The folder of the overlay's generated files.
fn generated(root: &Path) -> PathBuf {
    root.join("k8s/overlays/kind/generated")
}

/// `kind`, with the provider that has the images.
pub(crate) fn command(podman: bool) -> Command {
    let mut kind = Command::new("kind");
    if podman {
        kind.env("KIND_EXPERIMENTAL_PROVIDER", "podman");
    }
    kind
}

/// Fails with an instruction when there is no kind or no cluster.
pub(crate) fn require_cluster(podman: bool) -> Result<()> {
    if in_path("kind").is_none() {
        bail!("kind is missing: kind.sigs.k8s.io/docs/user/quick-start (one program to download)");
    }
    let listed = command(podman).args(["get", "clusters"]).stderr(Stdio::null()).output();
    let listed = listed.context("cannot run kind")?;
    let clusters = String::from_utf8_lossy(&listed.stdout).into_owned();
    if !clusters.lines().any(|cluster| cluster == CLUSTER) {
        bail!(
            "there is no kind cluster {CLUSTER}\n       kind create cluster --config k8s/kind.yaml"
        );
    }
    Ok(())
}

/// Writes which images the overlay runs.
pub(crate) fn write_release(root: &Path, registry: &str, tag: &str) -> Result<()> {
    let folder = generated(root).join("release");
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let kustomization = kustomization("cargo xtask images", "resources: [release.yaml]\n");
    files::replace(&folder.join("kustomization.yaml"), 0o644, &kustomization)?;
    files::replace(&folder.join("release.yaml"), 0o644, &release(registry, tag))
}

/// The `ConfigMap` that the component `release` reads.
fn release(registry: &str, tag: &str) -> String {
    format!(
        "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: release\n  annotations:\n    \
         config.kubernetes.io/local-config: \"true\"\ndata:\n  registry: {registry}\n  \
         tag: \"{tag}\"\n"
    )
}

/// `kind-secrets`: writes passwords, keys and certificates, which stay the same from one
/// run to the next.
pub(crate) fn write_secrets() -> Result<()> {
    let checkout = Checkout::find()?;
    let folder = write_secrets_below(&checkout.root)?;
    outln!("  Secrets for kind are in {} (not in git).", checkout.shown(&folder));
    Ok(())
}

pub(crate) fn write_secrets_below(root: &Path) -> Result<PathBuf> {
    let folder = generated(root).join("secrets");
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(&folder)
        .with_context(|| format!("cannot make {}", folder.display()))?;
    let mut secrets = Secrets::load(&folder.join("secrets.env"))?;
    let processes = processes();
    let names = processes.iter().map(String::as_str).collect::<Vec<_>>();
    // Operators' certificates are used from outside the cluster, so they are no Secrets; services
    // know the authority of these.
    let operators = [certificates::OPERATORS, certificates::COLLEAGUE];
    let certified = [&names[..], &operators].concat();
    certificates::issue(&folder.join("tls"), &certified)?;
    let mut generators = Vec::new();
    for (name, pairs) in opaque(|secret| secrets.get(secret))? {
        let file = format!("{name}.env");
        let text = pairs.iter().map(|(key, value)| format!("{key}={value}\n"));
        files::replace(&folder.join(&file), 0o600, &text.collect::<String>())?;
        generators.push(format!("  - name: {name}\n    envs: [{file}]\n"));
    }
    for name in names {
        let of_name = certificates::of(Path::new("tls"), name);
        let of_name = of_name.display();
        generators.push(format!(
            "  - name: {name}-tls\n    type: kubernetes.io/tls\n    \
             files: [{of_name}/ca.crt, {of_name}/tls.crt, {of_name}/tls.key]\n"
        ));
    }
    let body = format!(
        "# Processes read certificates again by themselves; for the rest, restart them.\n\
         generatorOptions:\n  disableNameSuffixHash: true\n  labels:\n    \
         app.kubernetes.io/part-of: playon\nconfigMapGenerator:\n  - name: operators-ca\n    \
         files: [ca.crt=tls/{}.crt]\nsecretGenerator:\n{}",
        certificates::OPERATORS_AUTHORITY,
        generators.concat()
    );
    let kustomization = kustomization("cargo xtask kind-secrets", &body);
    files::replace(&folder.join("kustomization.yaml"), 0o644, &kustomization)?;
    Ok(folder)
}

fn kustomization(written_by: &str, body: &str) -> String {
    format!(
        "# Written by `{written_by}`.\napiVersion: kustomize.config.k8s.io/v1beta1\n\
         kind: Kustomization\n{body}"
    )
}

/// The processes that call or are called over TLS.
fn processes() -> Vec<String> {
    let services = SERVICES.iter().map(|name| format!("svc-{name}"));
    std::iter::once("gateway".to_owned()).chain(services).collect()
}

type Pairs = Vec<(String, String)>;

/// All Secrets but certificates, with their keys and values.
fn opaque(mut secret: impl FnMut(&str) -> Result<String>) -> Result<Vec<(String, Pairs)>> {
    let mut passwords = vec![(SUPERUSER.to_owned(), secret("POSTGRES_PASSWORD")?)];
    let mut all = Vec::new();
    for name in SERVICES {
        for (role, secret_name, password) in [
            ((*name).to_owned(), "database", format!("{}_DATABASE_PASSWORD", name.to_uppercase())),
            (
                owner_role(name),
                "database-owner",
                format!("{}_OWNER_DATABASE_PASSWORD", name.to_uppercase()),
            ),
        ] {
            let password = secret(&password)?;
            let url = format!("postgres://{role}:{password}@postgres:5432/{name}");
            all.push((format!("svc-{name}-{secret_name}"), vec![("url".to_owned(), url)]));
            passwords.push((role, password));
        }
    }
    all.push(("postgres".to_owned(), passwords));
    let password = secret("REDIS_PASSWORD")?;
    let url = format!("redis://:{password}@redis:6379");
    all.push(("redis".to_owned(), pairs([("url", url.as_str()), ("password", &password)])));
    let mut keys = Vec::new();
    for name in AUTH_SECRETS {
        keys.push((name.to_owned(), secret(name)?));
    }
    all.push(("svc-auth-keys".to_owned(), keys));
    all.push(("devices".to_owned(), vec![(DEVICE_SECRET.to_owned(), secret(DEVICE_SECRET)?)]));
    let sms = format!("{SANDBOX}/sms");
    let mail = pairs([("MAIL_URL", SANDBOX_MAIL), MAIL_FROM]);
    all.push(("svc-chat-mail".to_owned(), mail.clone()));
    let mut providers = pairs([("SMS_BASE_URL", sms.as_str())]);
    providers.extend(mail);
    providers.extend(pairs(PROVIDERS));
    all.push(("svc-auth-providers".to_owned(), providers));
    all.push(("svc-chat-push".to_owned(), vec![(VAPID.to_owned(), secret(VAPID)?)]));
    all.push(("svc-wallet-daraja".to_owned(), pairs(DARAJA)));
    // These variables are a Secret of their own, because the sandbox has the other Secrets and no
    // such variables.
    all.push(("svc-wallet-certificate".to_owned(), pairs([("DARAJA_CERTIFICATE", CERTIFICATE)])));
    all.push(("svc-wallet-paystack".to_owned(), pairs(PAYSTACK)));
    let (offers, carrier) = pairs(CARRIER).into_iter().partition(|(name, _)| name == OFFER_CODE);
    all.push(("svc-wallet-offers".to_owned(), offers));
    all.push(("svc-wallet-carrier".to_owned(), carrier));
    Ok(all)
}

fn pairs<const N: usize>(of: [(&str, &str); N]) -> Pairs {
    of.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn a_role_has_one_password_at_the_server_and_in_the_url() {
        let all = opaque(|name| Ok(name.to_lowercase())).unwrap();
        let find = |secret: &str, key: &str| {
            let (_, pairs) = all.iter().find(|(name, _)| name == secret).unwrap();
            pairs.iter().find(|(name, _)| name == key).unwrap().1.clone()
        };
        for (role, secret) in
            [("wallet", "svc-wallet-database"), ("wallet_owner", "svc-wallet-database-owner")]
        {
            let password = find("postgres", role);
            let url = format!("postgres://{role}:{password}@postgres:5432/wallet");
            assert_eq!(find(secret, "url"), url);
        }
        assert_ne!(find("postgres", "wallet"), find("postgres", "wallet_owner"));
    }

    #[test]
    fn secrets_stay_the_same_and_belong_to_their_owner_alone() {
        let root = std::env::temp_dir().join(format!("xtask-kind-{}", std::process::id()));
        let folder = write_secrets_below(&root).unwrap();
        let read = |file: &str| fs::read_to_string(folder.join(file)).unwrap();
        let first = ["svc-auth-keys.env", "postgres.env", "tls/gateway/tls.crt"].map(read);
        write_secrets_below(&root).unwrap();
        assert_eq!(["svc-auth-keys.env", "postgres.env", "tls/gateway/tls.crt"].map(read), first);
        for file in ["postgres.env", "secrets.env", "tls/gateway/tls.key"] {
            let mode = fs::metadata(folder.join(file)).unwrap().permissions().mode();
            assert_eq!(mode & 0o077, 0, "{file}");
        }
        fs::remove_dir_all(&root).unwrap();
    }
}
