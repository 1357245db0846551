//! A server that speaks the real protocols of PlayOn's providers: M-Pesa, SMS,
//! mail, Google and Facebook. With it no service needs a fake provider inside.
//!
//! It shares no code with the services on purpose: a wire format is written down
//! once on each side, so that an error in it fails a test. Tests of other crates
//! may start it in their own process:
//!
//! ```no_run
//! # async fn example() -> Result<(), sandbox::StartError> {
//! let sandbox = sandbox::start(sandbox::Options::default()).await?;
//! let daraja = format!("http://{}/daraja", sandbox.addr);
//! # drop(daraja);
//! sandbox.shutdown().await;
//! # Ok(())
//! # }
//! ```

mod auth_header;
mod clock;
mod config;
mod control;
mod daraja;
mod fault_injection;
mod mail;
mod markup;
mod outgoing;
mod page;
mod paystack;
mod push;
mod push_message;
mod sdp;
mod sms;
mod social;
mod world;

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::get;
use tokio::net::TcpListener;

pub use config::{
    CarrierApp, ExpiresIn, Merchant, Options, PaystackApp, PendingReply, Settings, SmsApp,
    SocialApps,
};
use world::{Shared, World};

/// Most bytes of a request body. Daraja's own bodies are under 1 KiB.
const MAX_BODY: usize = 16 * 1024;

/// Why the sandbox did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Another program, perhaps another sandbox, has the port.
    #[error("PORT in use: {listen} is taken by another program; stop it or set {variable}")]
    PortInUse {
        /// The address asked for.
        listen: SocketAddr,
        /// The environment variable that sets the address.
        variable: &'static str,
    },
    /// The address cannot be listened on.
    #[error("cannot listen on {listen}: {source}")]
    Listen {
        /// The address asked for.
        listen: SocketAddr,
        /// The operating system's error.
        source: io::Error,
    },
    /// The state folder cannot be read or written.
    #[error("SANDBOX_STATE {}: {source}", folder.display())]
    State {
        /// The folder asked for.
        folder: PathBuf,
        /// The error of the file system, or the journal line that is invalid.
        source: io::Error,
    },
    /// The HTTP client for callbacks cannot be built.
    #[error("no HTTP client: {0}")]
    Client(#[from] reqwest::Error),
}

/// A sandbox that runs until it is shut down or dropped.
#[derive(Debug)]
pub struct Running {
    /// Address of the providers, the control API and the page, with the real
    /// port when 0 was asked for.
    pub addr: SocketAddr,
    /// Address of the mail server.
    pub mail_addr: SocketAddr,
    drain: Duration,
    world: Shared,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.world.stop.cancel();
    }
}

impl Running {
    /// Waits up to [`Options::drain`] for requests and tasks to finish; false when
    /// some were cut off. An open prompt stays open: the next start on the same
    /// folder resumes it.
    pub async fn shutdown(self) -> bool {
        let drained = tokio::time::timeout(self.drain, self.world.close()).await.is_ok();
        if !drained {
            tracing::warn!("stopped with requests still open");
        }
        drained
    }
}

/// Starts the sandbox: binds its ports, reads the stored state, serves.
pub async fn start(options: Options) -> Result<Running, StartError> {
    // Bind before the folder is opened, so that a second sandbox fails here.
    let (listener, addr) = bind(options.listen, "LISTEN").await?;
    let (mail_listener, mail_addr) = bind(options.mail_listen, "MAIL_LISTEN").await?;
    let folder = options.state.clone().unwrap_or_default();
    let drain = options.drain;
    let http = http_client()?;
    let certificate = options.state.as_ref().map(|folder| folder.join("certificate.pem"));
    let write = |path| std::fs::write(path, daraja::initiator::CERTIFICATE);
    let world = World::open(options, addr, http)
        .and_then(|world| certificate.map_or(Ok(()), write).map(|()| world))
        .map_err(|source| StartError::State { folder, source })?;
    daraja::prompt::resume(&world);
    daraja::b2c::resume(&world);
    paystack::refunds::resume(&world);
    outgoing::resume(&world);

    let app = app(world.clone());
    let stop = world.stop.clone();
    world.tasks.spawn(async move {
        let server = axum::serve(listener, app).with_graceful_shutdown(stop.cancelled_owned());
        if let Err(error) = server.await {
            tracing::error!(%error, "the HTTP server failed");
        }
    });
    world.tasks.spawn(mail::serve(world.clone(), mail_listener));
    tracing::info!(%addr, %mail_addr, "the sandbox is listening");
    Ok(Running { addr, mail_addr, drain, world })
}

fn app(world: Shared) -> Router {
    Router::new()
        .merge(page::routes())
        .route("/healthz", get(async || "ok"))
        .route("/mpesa/certificate.pem", get(daraja::certificate))
        .nest("/daraja", daraja::routes(world.clone()))
        .nest("/paystack", paystack::routes(world.clone()))
        .nest("/card", paystack::pages())
        .nest("/sdp", sdp::routes(world.clone()))
        .nest("/push", push::routes())
        .nest("/sms", sms::routes(world.clone()))
        .nest("/oidc", social::routes(&world))
        .nest("/control", control::routes())
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .with_state(world)
}

async fn bind(
    listen: SocketAddr,
    variable: &'static str,
) -> Result<(TcpListener, SocketAddr), StartError> {
    let bound = async {
        let listener = TcpListener::bind(listen).await?;
        let addr = listener.local_addr()?;
        Ok((listener, addr))
    };
    bound.await.map_err(|source: io::Error| match source.kind() {
        io::ErrorKind::AddrInUse => StartError::PortInUse { listen, variable },
        _ => StartError::Listen { listen, source },
    })
}

fn http_client() -> Result<reqwest::Client, reqwest::Error> {
    // An error means that this process has installed a crypto provider already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(Duration::from_secs(5))
        .no_proxy()
        .build()
}
