//! The processes of a mesh, and the environment each is given.

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::certificates;
use crate::checkout::Checkout;
use crate::daemon::{Daemon, Ready};
use crate::instance::Instance;
use crate::ports::{Ports, local};
use crate::redis;
use crate::services::{SERVICES, packages, replica_name};
use crate::stores::{database_urls, service_environment};

/// The variables of an M-Pesa business that services and sandbox agree on in development. The
/// passkey is the one that Safaricom publishes for its own sandbox.
pub(crate) const DARAJA: [(&str, &str); 6] = [
    ("DARAJA_CONSUMER_KEY", "playon-dev"),
    ("DARAJA_CONSUMER_SECRET", "playon-dev-secret"),
    ("DARAJA_SHORT_CODE", "174379"),
    ("DARAJA_PASSKEY", "bfb279f9aa9bdbcf158e97dd71a467cd2e0c893059b10f78e6b72ada1ed2c919"),
    ("DARAJA_INITIATOR_NAME", "playon"),
    ("DARAJA_INITIATOR_PASSWORD", "PlayOn#2026"),
];

/// The variables of the Paystack account that svc-wallet and sandbox agree on in development. The
/// key also signs Paystack's events.
pub(crate) const PAYSTACK: [(&str, &str); 1] = [("PAYSTACK_SECRET_KEY", "sk_test_playon-dev")];

/// The variables of the account at Safaricom's carrier billing that svc-wallet and sandbox agree on
/// in development. The last one is in the path of the notifications.
pub(crate) const CARRIER: [(&str, &str); 5] = [
    ("CARRIER_USERNAME", "playon-dev"),
    ("CARRIER_PASSWORD", "playon-dev-carrier"),
    ("CARRIER_CP_ID", "321"),
    ("CARRIER_OFFER_CODE", "001007800001"),
    ("CARRIER_NOTIFY_SECRET", "5b1d7c0e9a4f42d8b3e6a1c2f0d9e8b7"),
];

/// The key of device tokens, which svc-auth signs and the gateway verifies.
pub(crate) const DEVICE_SECRET: &str = "DEVICE_SECRET";
/// svc-auth's accounts with the sandbox's providers: no secrets, because the sandbox
/// protects nothing. svc-auth switches off a provider without its variables.
pub(crate) const PROVIDERS: [(&str, &str); 7] = [
    ("SMS_SENDER", "PlayOn"),
    ("SMS_USERNAME", "sandbox"),
    ("SMS_API_KEY", "playon-dev-sms"),
    ("GOOGLE_CLIENT_ID", "playon-google"),
    ("GOOGLE_CLIENT_SECRET", "playon-google-secret"),
    ("FACEBOOK_CLIENT_ID", "playon-facebook"),
    ("FACEBOOK_CLIENT_SECRET", "playon-facebook-secret"),
];

/// svc-auth's keys, generated for each instance.
pub(crate) const AUTH_SECRETS: [&str; 5] =
    ["SIGNING_KEYS", "REFRESH_SECRET", "CAPTCHA_SECRET", "CODE_SECRET", "OAUTH_SECRET"];

/// The sender of mails from svc-auth and svc-chat.
pub(crate) const MAIL_FROM: (&str, &str) = ("MAIL_FROM", "PlayOn <no-reply@playon.example>");
/// The variable of Web Push's private key. 32 random bytes are a key, except with a probability
/// of 1 in 2^32.
pub(crate) const VAPID: &str = "VAPID_PRIVATE_KEY";

type Environment = Vec<(String, String)>;

/// The processes of a mesh.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout<'a> {
    /// Replicas of every service. There is one gateway.
    pub(crate) replicas: u16,
    /// Programs that are left out, because a person starts them by hand.
    pub(crate) without: &'a [String],
}

impl Layout<'static> {
    /// A layout with one replica of everything.
    pub(crate) const SINGLE: Self = Self::replicated(1);

    /// A layout with everything, and this many replicas of every service.
    pub(crate) const fn replicated(replicas: u16) -> Self {
        Self { replicas, without: &[] }
    }
}

/// The gateway's origin.
pub(crate) fn playon_url(ports: Ports) -> String {
    origin(ports.gateway)
}

/// The sandbox's origin.
pub(crate) fn sandbox_url(ports: Ports) -> String {
    origin(ports.sandbox)
}

/// The variables that a client, a test or a script needs to use the running mesh.
pub(crate) fn client_environment(instance: &Instance) -> Result<Environment> {
    let mut environment = vec![
        pair("PLAYON_URL", playon_url(instance.ports)),
        pair("SANDBOX_URL", sandbox_url(instance.ports)),
    ];
    environment.extend(database_urls(instance)?);
    environment.extend([
        pair("REDIS_URL", redis::url(instance)),
        pair("LOG_DIR", instance.logs().display()),
        pair("RUN_DIR", instance.pid_files().display()),
    ]);
    Ok(environment)
}

/// The variables that `playonctl` needs to reach the running mesh by an operator's certificate.
pub(crate) fn operator_environment(instance: &Instance, certificate: &str) -> Environment {
    let certificate = certificates::of(&tls_dir(instance), certificate);
    let mut environment = vec![pair("TLS_DIR", certificate.display())];
    environment.extend(SERVICES.iter().enumerate().map(|(index, name)| {
        let url = format!("https://{}", local(instance.ports.service(index, 0)));
        (format!("{}_URL", name.to_uppercase()), url)
    }));
    environment
}

/// The variables that a program needs to call services in the name of any process of the running
/// mesh.
pub(crate) fn caller_environment(instance: &Instance) -> Environment {
    let url = |name: &str| {
        let index = SERVICES.iter().position(|service| *service == name).unwrap_or_default();
        format!("https://{}", local(instance.ports.service(index, 0)))
    };
    vec![
        pair("GAMES_URL", url("games")),
        pair("TOURNAMENT_URL", url("tournament")),
        pair("MESH_TLS_DIR", tls_dir(instance).display()),
    ]
}

/// Makes a process send its spans to the journeys' collector, or to Jaeger, within
/// 200 ms.
pub(crate) fn trace_export(ports: Ports) -> [(String, String); 2] {
    [
        pair("OTEL_EXPORTER_OTLP_ENDPOINT", origin(ports.collector)),
        pair("OTEL_BSP_SCHEDULE_DELAY", 200),
    ]
}

/// The processes to start beside Postgres and Redis, with the programs of a folder.
pub(crate) fn daemons(
    checkout: &Checkout,
    instance: &Instance,
    programs: &Path,
    layout: Layout<'_>,
) -> Result<Vec<Daemon>> {
    let packages = packages();
    let certified = packages.iter().map(String::as_str).filter(|name| *name != "sandbox");
    let certified = certified.chain([certificates::OPERATORS, certificates::COLLEAGUE]);
    certificates::issue(&tls_dir(instance), &certified.collect::<Vec<_>>())?;
    let mut all = vec![sandbox(instance)];
    for (index, name) in SERVICES.iter().enumerate() {
        for replica in 0..layout.replicas {
            all.push(service(instance, layout, (index, replica), name)?);
        }
    }
    all.push(gateway(checkout, instance, layout)?);
    let is_left_out = |program: &Path| layout.without.iter().any(|name| program == Path::new(name));
    all.retain(|daemon| !is_left_out(&daemon.program));
    for daemon in &mut all {
        daemon.program = programs.join(&daemon.program);
        daemon.folder.clone_from(&checkout.root);
    }
    Ok(all)
}

fn sandbox(instance: &Instance) -> Daemon {
    let Ports { sandbox, mail, .. } = instance.ports;
    let mut environment = vec![
        pair("LISTEN", local(sandbox)),
        pair("MAIL_LISTEN", local(mail)),
        pair("SANDBOX_STATE", instance.dir.join("sandbox").display()),
    ];
    environment.extend(DARAJA.map(owned));
    environment.extend(PAYSTACK.map(owned));
    environment.extend(CARRIER.map(owned));
    let hooks = format!("{}/hooks", playon_url(instance.ports));
    environment.push(pair("PAYSTACK_WEBHOOK_URL", format!("{hooks}/paystack")));
    environment.push(pair("CARRIER_NOTIFY_URL", format!("{hooks}/airtime")));
    daemon("sandbox", vec![sandbox, mail], Ready::Http("/healthz"), environment)
}

/// A replica of a service; replica and service are counted from 0.
fn service(
    instance: &Instance,
    layout: Layout<'_>,
    (index, replica): (usize, u16),
    name: &str,
) -> Result<Daemon> {
    let Instance { ports, .. } = instance;
    let ports = [ports.service(index, replica), ports.service_metrics(index, replica)];
    let mut environment = server(instance, &format!("svc-{name}"), layout, ports);
    environment.extend(service_environment(instance, name)?);
    environment.extend(match name {
        "auth" => auth(instance)?,
        "chat" => vec![
            pair(VAPID, instance.secrets()?.get(VAPID)?),
            pair("PUSH_SANDBOX_URL", sandbox_url(instance.ports)),
        ],
        "wallet" => wallet(instance.ports),
        // Prizes of the demo are paid at once.
        "tournament" => vec![pair("AWARD_HOLD", "0s")],
        _ => Vec::new(),
    });
    if name == "chat" {
        environment.extend(mail(instance.ports));
    }
    let package = format!("svc-{name}");
    let mut service = daemon(&package, ports.to_vec(), Ready::Listens, environment);
    service.name = replica_name(&package, replica);
    Ok(service)
}

fn auth(instance: &Instance) -> Result<Environment> {
    let sandbox = sandbox_url(instance.ports);
    let mut environment = vec![
        pair("PUBLIC_URL", playon_url(instance.ports)),
        pair("SERVE_OPENAPI", true),
        pair("FIRST_OPERATORS", certificates::operators()),
        pair("SMS_BASE_URL", format!("{sandbox}/sms")),
        pair("GOOGLE_ISSUER", format!("{sandbox}/oidc/google")),
        pair("FACEBOOK_DIALOG_URL", format!("{sandbox}/oidc/facebook/dialog/oauth")),
        pair("FACEBOOK_GRAPH_URL", format!("{sandbox}/oidc/facebook")),
    ];
    environment.extend(mail(instance.ports));
    environment.extend(PROVIDERS.map(owned));
    let mut secrets = instance.secrets()?;
    for name in AUTH_SECRETS.into_iter().chain([DEVICE_SECRET]) {
        environment.push(pair(name, secrets.get(name)?));
    }
    Ok(environment)
}

/// The variables of the sandbox's mail server.
fn mail(ports: Ports) -> Environment {
    vec![pair("MAIL_URL", format!("smtp://{}", local(ports.mail))), owned(MAIL_FROM)]
}

fn wallet(ports: Ports) -> Environment {
    let mut environment = vec![
        pair("DARAJA_BASE_URL", format!("{}/daraja", sandbox_url(ports))),
        pair("DARAJA_CERTIFICATE", format!("{}/mpesa/certificate.pem", sandbox_url(ports))),
        pair("CALLBACK_BASE_URL", playon_url(ports)),
        pair("PAYSTACK_BASE_URL", format!("{}/paystack", sandbox_url(ports))),
        pair("PAYSTACK_LIVE", false),
        pair("PAYSTACK_EMAIL_DOMAIN", "players.playon.example"),
        pair("PAYSTACK_RETURN_URL", format!("{}/waiting", playon_url(ports))),
        pair("CARRIER_BASE_URL", format!("{}/sdp", sandbox_url(ports))),
    ];
    environment.extend(DARAJA.map(owned));
    environment.extend(PAYSTACK.map(owned));
    environment.extend(CARRIER.map(owned));
    environment
}

fn gateway(checkout: &Checkout, instance: &Instance, layout: Layout<'_>) -> Result<Daemon> {
    let Ports { gateway, gateway_metrics, games, .. } = instance.ports;
    let mut environment = server(instance, "gateway", layout, [gateway, gateway_metrics]);
    environment.extend([
        pair("WEB_ROOT", checkout.frontend().join("dist").display()),
        pair("PUBLIC_URL", playon_url(instance.ports)),
        pair(DEVICE_SECRET, instance.secrets()?.get(DEVICE_SECRET)?),
        pair("MEDIA_URL", format!("file://{}", instance.dir.join("media").display())),
        // The values are those of the image (Dockerfile).
        pair("MIMALLOC_ARENA_MAX_OBJECT_SIZE", 256),
        pair("MIMALLOC_PURGE_DELAY", 0),
        pair("GAMES_ROOT", checkout.games().join("dist").display()),
        pair("GAMES_LISTEN", local(games)),
        pair("PLAYON_GAMES_ORIGIN", format!("http://{{slug}}.localhost:{games}")),
    ]);
    // /statusz needs all services, and one may be left out.
    let ready = Ready::Http(if layout.without.is_empty() { "/statusz" } else { "/healthz" });
    Ok(daemon("gateway", vec![gateway, gateway_metrics, games], ready, environment))
}

/// The variables that gateway and services have in common. Every process has every address; who may
/// call whom is checked by the callee.
fn server(
    instance: &Instance,
    name: &str,
    layout: Layout<'_>,
    [port, metrics]: [u16; 2],
) -> Environment {
    let mut environment = vec![
        pair("TLS_DIR", certificates::of(&tls_dir(instance), name).display()),
        pair("LISTEN", local(port)),
        pair("METRICS_LISTEN", local(metrics)),
        pair("REDIS_URL", redis::url(instance)),
    ];
    environment.extend(SERVICES.iter().enumerate().map(|(index, name)| {
        let url = |replica| format!("https://{}", local(instance.ports.service(index, replica)));
        let urls = (0..layout.replicas).map(url).collect::<Vec<_>>();
        (format!("{}_URL", name.to_uppercase()), urls.join(","))
    }));
    if std::env::var_os("RUST_LOG").is_none() {
        environment.push(pair("RUST_LOG", "info"));
    }
    environment
}

/// The folder of all certificates.
fn tls_dir(instance: &Instance) -> PathBuf {
    instance.dir.join("tls")
}

/// A process of a program, whose folder is not known yet.
fn daemon(program: &str, ports: Vec<u16>, ready: Ready, environment: Environment) -> Daemon {
    Daemon {
        name: program.to_owned(),
        program: PathBuf::from(program),
        arguments: Vec::new(),
        environment,
        folder: PathBuf::new(),
        user: None,
        ports,
        ready,
    }
}

fn pair(name: &str, value: impl ToString) -> (String, String) {
    (name.to_owned(), value.to_string())
}

fn owned((name, value): (&str, &str)) -> (String, String) {
    pair(name, value)
}

fn origin(port: u16) -> String {
    format!("http://{}", local(port))
}
