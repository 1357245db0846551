//! The capabilities of players, each probed by one call through the gateway.

use std::{
    collections::HashMap,
    sync::LazyLock,
    time::{Duration, Instant},
};

use journeys::{LiveStream, Mesh, Player, StreamItem};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use tonic::Code;

/// The timeout of a call, as in the PWA.
const TIMEOUT: Duration = Duration::from_secs(20);

/// The texts that players may read, by REASON.
static CATALOGUE: LazyLock<HashMap<String, String>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../../crates/mesh/texts/en.json")).unwrap()
});

/// A thing that a player can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Capability {
    Page,
    SignIn,
    Profile,
    Code,
    Balance,
    History,
    TopUp,
    Live,
    Games,
    Tournaments,
    Rooms,
}

impl Capability {
    /// The capabilities that are probed by a call without another effect.
    pub(crate) const PROBED: [Self; 9] = [
        Self::Page,
        Self::SignIn,
        Self::Profile,
        Self::Balance,
        Self::History,
        Self::Live,
        Self::Games,
        Self::Tournaments,
        Self::Rooms,
    ];

    /// Whether the gateway may repeat the capability's call on another replica.
    pub(crate) const fn is_repeatable(self) -> bool {
        !matches!(self, Self::SignIn | Self::Code | Self::TopUp | Self::Live)
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Page => "page",
            Self::SignIn => "sign-in",
            Self::Profile => "profile",
            Self::Code => "code by SMS",
            Self::Balance => "balance",
            Self::History => "history",
            Self::TopUp => "top-up",
            Self::Live => "live stream",
            Self::Games => "games",
            Self::Tournaments => "tournaments",
            Self::Rooms => "chat rooms",
        }
    }
}

/// How a call ended.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    Ok,
    /// The call was refused with this status, REASON and player's text.
    Refused {
        status: u16,
        code: String,
        message: String,
    },
    /// A live stream ended with this status; the PWA opens it again and shows no text.
    StreamEnded(String),
    /// There was no reply, or one without the API's envelope.
    Broken(String),
}

impl Outcome {
    pub(crate) fn is_ok(&self) -> bool {
        *self == Self::Ok
    }

    /// The defect of a reply that a player should not get even from a broken mesh.
    pub(crate) fn defect(&self) -> Option<String> {
        match self {
            Self::Ok | Self::StreamEnded(_) => None,
            Self::Broken(what) => Some(what.clone()),
            Self::Refused { code, message, .. } => {
                let text = CATALOGUE.get(code);
                let known = text.is_some_and(|text| text == message || text.contains('{'));
                let internal = code == "INTERNAL";
                (internal || !known).then(|| format!("{code}: {message:?}"))
            }
        }
    }

    /// The outcome as the table prints it.
    pub(crate) fn describe(&self) -> String {
        match self {
            Self::Ok => "works".to_owned(),
            Self::Refused { status, code, message } => format!("{status} {code} “{message}”"),
            Self::StreamEnded(code) => format!("{code}, opened again"),
            Self::Broken(what) => format!("no reply ({what})"),
        }
    }
}

/// Makes the call of a capability that is [`Capability::PROBED`].
pub(crate) async fn probe(mesh: &Mesh, player: &Player, capability: Capability) -> Outcome {
    let get = |path| player.call(Method::GET, path);
    match capability {
        Capability::Page => page(mesh).await,
        Capability::SignIn => sign_in(mesh, player).await,
        Capability::Profile => api(get("/auth/login")).await.0,
        Capability::Balance => api(get("/wallets/balance")).await.0,
        Capability::History => api(get("/wallets/list")).await.0,
        Capability::Games => api(get("/games/list")).await.0,
        Capability::Tournaments => api(get("/tournaments")).await.0,
        Capability::Rooms => api(get("/chat-rooms/list")).await.0,
        Capability::Live | Capability::TopUp | Capability::Code => {
            unreachable!("{capability:?} has its own loop")
        }
    }
}

async fn page(mesh: &Mesh) -> Outcome {
    let request = mesh.call(Method::GET, "/").header("accept", "text/html");
    match request.timeout(TIMEOUT).send().await {
        Ok(reply) if reply.status().is_success() => Outcome::Ok,
        Ok(reply) => Outcome::Broken(format!("status {}", reply.status())),
        Err(error) => broken(&error),
    }
}

async fn sign_in(mesh: &Mesh, player: &Player) -> Outcome {
    let body = json!({"email": player.email, "password": journeys::PASSWORD});
    api(mesh.call(Method::POST, "/api/auth/sign-in").json(&body)).await.0
}

/// Calls the API, and returns the payload of a reply.
pub(crate) async fn api(request: RequestBuilder) -> (Outcome, Value) {
    let reply = match request.timeout(TIMEOUT).send().await {
        Ok(reply) => reply,
        Err(error) => return (broken(&error), Value::Null),
    };
    let status = reply.status().as_u16();
    let envelope: Value = match reply.json().await {
        Ok(envelope) => envelope,
        Err(error) => return (broken(&error), Value::Null),
    };
    let payload = envelope["payload"].clone();
    if status < 300 {
        return (Outcome::Ok, payload);
    }
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let (code, message) = (text(&payload["code"]), text(&envelope["statusMessage"]));
    (Outcome::Refused { status, code, message }, payload)
}

/// Opens a stream on a payment that is final, and reads to its end.
pub(crate) async fn live(mesh: &Mesh, player: &Player, payment: &str) -> Outcome {
    let call = LiveStream::call(mesh, &[payment]).bearer_auth(&player.access_token);
    let whole = async {
        let mut stream = match LiveStream::attempt(call).await {
            Ok(stream) => stream,
            Err(end) => return end,
        };
        loop {
            match stream.next().await {
                StreamItem::Event(_) => {}
                end => return end,
            }
        }
    };
    match tokio::time::timeout(TIMEOUT, whole).await {
        Ok(StreamItem::End(Code::Ok)) => Outcome::Ok,
        Ok(StreamItem::End(code)) => Outcome::StreamEnded(format!("{code:?}")),
        Ok(_) => Outcome::Broken("the stream broke off".to_owned()),
        Err(_) => Outcome::Broken("no event in 20 s".to_owned()),
    }
}

fn broken(error: &reqwest::Error) -> Outcome {
    Outcome::Broken(if error.is_timeout() {
        "none in 20 s".to_owned()
    } else if error.is_connect() {
        "no connection".to_owned()
    } else if error.is_decode() {
        "not an envelope".to_owned()
    } else {
        "the connection broke".to_owned()
    })
}

/// A call that was made: what it was for, when it was sent, and how it ended.
#[derive(Debug, Clone)]
pub(crate) struct Sample {
    pub(crate) capability: Capability,
    pub(crate) sent: Instant,
    pub(crate) took: Duration,
    pub(crate) outcome: Outcome,
}
