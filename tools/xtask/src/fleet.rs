//! What the mesh consists of, and the environment each process is given.

use anyhow::Result;

use crate::checkout::{Checkout, Profile};
use crate::daemon::{Daemon, Ready};
use crate::instance::Instance;
use crate::ports::Ports;
use crate::redis;
use crate::services::SERVICES;
use crate::stores::database_urls;

/// The business that services and sandbox agree on in development. The passkey
/// is the one that Safaricom publishes for its own sandbox.
const DARAJA: [(&str, &str); 4] = [
    ("DARAJA_CONSUMER_KEY", "playon-dev"),
    ("DARAJA_CONSUMER_SECRET", "playon-dev-secret"),
    ("DARAJA_SHORT_CODE", "174379"),
    ("DARAJA_PASSKEY", "bfb279f9aa9bdbcf158e97dd71a467cd2e0c893059b10f78e6b72ada1ed2c919"),
];

/// What svc-auth is to the providers of the sandbox. They guard nothing, so these
/// are no secrets; a provider without its variables is switched off.
const IDENTITY: [(&str, &str); 8] = [
    ("SMS_SENDER", "PlayOn"),
    ("SMS_USERNAME", "sandbox"),
    ("SMS_API_KEY", "playon-dev-sms"),
    ("MAIL_FROM", "PlayOn <no-reply@playon.example>"),
    ("GOOGLE_CLIENT_ID", "playon-google"),
    ("GOOGLE_CLIENT_SECRET", "playon-google-secret"),
    ("FACEBOOK_CLIENT_ID", "playon-facebook"),
    ("FACEBOOK_CLIENT_SECRET", "playon-facebook-secret"),
];

/// Cargo packages (and programs) of everything that is started, in order.
pub(crate) fn names() -> Vec<String> {
    let services = SERVICES.iter().map(|name| format!("svc-{name}"));
    std::iter::once("sandbox".to_owned())
        .chain(services)
        .chain(std::iter::once("gateway".to_owned()))
        .collect()
}

/// Where a person or a test finds the gateway.
pub(crate) fn playon_url(ports: Ports) -> String {
    origin(ports.gateway())
}

/// Where a person or a test finds the sandbox.
pub(crate) fn sandbox_url(ports: Ports) -> String {
    origin(ports.sandbox())
}

/// What makes a process send its spans to the journeys, and soon.
pub(crate) fn traced(ports: Ports) -> [(String, String); 2] {
    [
        pair("OTEL_EXPORTER_OTLP_ENDPOINT", origin(ports.collector())),
        pair("OTEL_BSP_SCHEDULE_DELAY", 200),
    ]
}

/// The processes to start beside Postgres and Redis; `without` leaves out
/// those that somebody starts by hand.
pub(crate) fn daemons(
    checkout: &Checkout,
    instance: &Instance,
    profile: Profile,
    without: &[String],
) -> Result<Vec<Daemon>> {
    let databases = database_urls(instance)?;
    let mut all = vec![sandbox(instance)];
    for (place, (name, database)) in SERVICES.iter().zip(databases).enumerate() {
        all.push(service(instance, place, name, database)?);
    }
    all.push(gateway(checkout, instance, without.is_empty()));
    all.retain(|daemon| !without.contains(&daemon.name));
    for daemon in &mut all {
        daemon.program = checkout.program(profile, &daemon.name);
        daemon.folder.clone_from(&checkout.root);
    }
    Ok(all)
}

fn sandbox(instance: &Instance) -> Daemon {
    let (port, mail) = (instance.ports.sandbox(), instance.ports.mail());
    let mut environment = vec![
        pair("LISTEN", local(port)),
        pair("MAIL_LISTEN", local(mail)),
        pair("SANDBOX_STATE", instance.dir.join("sandbox").display()),
    ];
    environment.extend(DARAJA.map(|(name, value)| pair(name, value)));
    daemon("sandbox", vec![port, mail], Ready::Http("/healthz"), environment)
}

fn service(
    instance: &Instance,
    place: usize,
    name: &str,
    database: (String, String),
) -> Result<Daemon> {
    let ports = instance.ports;
    let (port, metrics) = (ports.service(place), ports.service_metrics(place));
    let mut environment = neighbours(instance);
    environment.extend([
        pair("LISTEN", local(port)),
        pair("METRICS_LISTEN", local(metrics)),
        database,
    ]);
    environment.extend(special(instance, name)?);
    Ok(daemon(&format!("svc-{name}"), vec![port, metrics], Ready::Listens, environment))
}

/// What one service needs and the others have no business to know.
fn special(instance: &Instance, name: &str) -> Result<Vec<(String, String)>> {
    let ports = instance.ports;
    Ok(match name {
        "auth" => {
            let mut environment = identity_providers(ports);
            let mut secrets = instance.secrets()?;
            for name in
                ["SIGNING_KEYS", "REFRESH_SECRET", "CAPTCHA_SECRET", "CODE_SECRET", "OAUTH_SECRET"]
            {
                environment.push(pair(name, secrets.get(name)?));
            }
            environment
        }
        "wallet" => {
            let mut environment = vec![
                pair("DARAJA_BASE_URL", format!("{}/daraja", sandbox_url(ports))),
                pair("CALLBACK_BASE_URL", playon_url(ports)),
            ];
            environment.extend(DARAJA.map(|(name, value)| pair(name, value)));
            environment
        }
        _ => Vec::new(),
    })
}

/// Where svc-auth finds who sends its codes and mails, and who vouches for players.
fn identity_providers(ports: Ports) -> Vec<(String, String)> {
    let sandbox = sandbox_url(ports);
    let mut environment = vec![
        pair("PUBLIC_URL", playon_url(ports)),
        pair("SMS_BASE_URL", format!("{sandbox}/sms")),
        pair("MAIL_URL", format!("smtp://{}", local(ports.mail()))),
        pair("GOOGLE_ISSUER", format!("{sandbox}/oidc/google")),
        pair("FACEBOOK_DIALOG_URL", format!("{sandbox}/oidc/facebook/dialog/oauth")),
        pair("FACEBOOK_GRAPH_URL", format!("{sandbox}/oidc/facebook")),
    ];
    environment.extend(IDENTITY.map(|(name, value)| pair(name, value)));
    environment
}

fn gateway(checkout: &Checkout, instance: &Instance, complete: bool) -> Daemon {
    let ports = instance.ports;
    let (port, metrics) = (ports.gateway(), ports.gateway_metrics());
    let mut environment = neighbours(instance);
    environment.extend([
        pair("LISTEN", local(port)),
        pair("METRICS_LISTEN", local(metrics)),
        pair("WEB_ROOT", checkout.frontend().join("dist").display()),
        pair("PUBLIC_URL", playon_url(ports)),
        pair("MEDIA_URL", format!("file://{}", instance.dir.join("media").display())),
    ]);
    // "Ready" means that all services answer, and one may be left out.
    let ready = Ready::Http(if complete { "/readyz" } else { "/healthz" });
    daemon("gateway", vec![port, metrics], ready, environment)
}

/// Where everybody finds everybody. Who may call whom is not settled by who
/// knows an address.
fn neighbours(instance: &Instance) -> Vec<(String, String)> {
    let ports = instance.ports;
    let services = SERVICES.iter().enumerate().map(|(place, name)| {
        (format!("{}_URL", name.to_uppercase()), origin(ports.service(place)))
    });
    let mut environment = services.collect::<Vec<_>>();
    environment.push(pair("REDIS_URL", redis::url(instance)));
    if std::env::var_os("RUST_LOG").is_none() {
        environment.push(pair("RUST_LOG", "info"));
    }
    environment
}

fn daemon(name: &str, ports: Vec<u16>, ready: Ready, environment: Vec<(String, String)>) -> Daemon {
    Daemon {
        name: name.to_owned(),
        program: std::path::PathBuf::new(),
        arguments: Vec::new(),
        environment,
        folder: std::path::PathBuf::new(),
        user: None,
        ports,
        ready,
    }
}

fn pair(name: &str, value: impl ToString) -> (String, String) {
    (name.to_owned(), value.to_string())
}

fn local(port: u16) -> String {
    format!("127.0.0.1:{port}")
}

fn origin(port: u16) -> String {
    format!("http://127.0.0.1:{port}")
}
