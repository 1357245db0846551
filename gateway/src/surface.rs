//! Every route there is, on one page: the attack surface.
//!
//! The router is built from this table and from nothing else, so what is not
//! here does not exist. `{…}` is one path segment; a trailing slash makes no
//! difference. What is no row here is a file of the web app, or a 404.

use std::fmt;

use axum::routing::{MethodFilter, MethodRouter, on};
use http::Method;

use crate::{
    Gateway, health, hooks,
    http::{
        auth, chat, games, media, oauth, password, phone, profile, reference, referrals,
        tournaments, upload, users, wallet,
    },
    live,
};
use Class::{Callback, Light, Live, Media, Message, Money, Probe, Read, SignIn, Upload, Write};
use Upstream::{Auth, Chat, Games, Nobody, Tournament, Wallet};
use Who::{Bearer, Guest, Hook, Public};

/// One row.
pub struct Route {
    /// Of HTTP.
    pub method: Method,
    /// As axum reads it; without a trailing slash.
    pub path: &'static str,
    /// Who may call.
    pub who: Who,
    /// How often.
    pub class: Class,
    /// Which service answers.
    pub upstream: Upstream,
    /// What does it.
    pub handler: fn(MethodFilter) -> MethodRouter<Gateway>,
}

/// Who may call a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Who {
    /// Anyone; a token that is no good makes a guest, not a refusal.
    Guest,
    /// A signed-in player.
    Bearer,
    /// A provider that knows the path's secret.
    Hook,
    /// Anyone; no token is looked at.
    Public,
}

/// What a route costs, and so how often it may be called. The limits are
/// [`crate::config::Rates`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// What guests may do; by address unless the caller is a player.
    Light,
    /// A secret is tried out: failures are counted too, by address.
    SignIn,
    /// A text message or a mail is sent; by address, whoever asks.
    Message,
    /// A read.
    Read,
    /// A write that moves no money.
    Write,
    /// A write that moves money.
    Money,
    /// A file comes in: it takes its time and its room.
    Upload,
    /// A file goes out; by address.
    Media,
    /// Opening a live stream.
    Live,
    /// A provider's callback.
    Callback,
    /// Asked by machines about this machine; not counted, costs next to nothing.
    Probe,
}

/// The service behind a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Upstream {
    /// svc-auth.
    Auth,
    /// svc-wallet.
    Wallet,
    /// svc-games.
    Games,
    /// svc-tournament.
    Tournament,
    /// svc-chat.
    Chat,
    /// The gateway answers by itself.
    Nobody,
}

impl Upstream {
    /// As metrics and `//readyz` name it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Auth => "auth",
            Self::Wallet => "wallet",
            Self::Games => "games",
            Self::Tournament => "tournament",
            Self::Chat => "chat",
            Self::Nobody => "none",
        }
    }
}

impl fmt::Display for Upstream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The table.
#[rustfmt::skip]
pub static SURFACE: &[Route] = &[
    // Identity
    head("/api/auth/login",                    Guest,  Light,    Nobody,     |m| on(m, auth::reachable)),
    get ("/api/auth/login",                    Bearer, Read,     Auth,       |m| on(m, profile::log_in)),
    get ("/api/auth/providers",                Guest,  Light,    Auth,       |m| on(m, auth::list_providers)),
    get ("/api/auth/captcha",                  Guest,  Light,    Auth,       |m| on(m, auth::create_captcha)),
    post("/api/auth/sign-up",                  Guest,  Light,    Auth,       |m| on(m, auth::sign_up)),
    post("/api/auth/sign-in",                  Guest,  SignIn,   Auth,       |m| on(m, auth::sign_in)),
    post("/api/auth/refresh",                  Guest,  Light,    Auth,       |m| on(m, auth::refresh)),
    post("/api/auth/sign-out",                 Bearer, Write,    Auth,       |m| on(m, auth::sign_out)),
    post("/api/auth/sign-out-everywhere",      Bearer, Write,    Auth,       |m| on(m, auth::sign_out_everywhere)),
    post("/api/auth/phone/start",              Guest,  Message,  Auth,       |m| on(m, phone::start)),
    post("/api/auth/phone/verify",             Guest,  SignIn,   Auth,       |m| on(m, phone::verify)),
    get ("/api/auth/oauth/{provider}/start",   Guest,  Light,    Auth,       |m| on(m, oauth::start)),
    get ("/api/auth/oauth/{provider}/callback", Guest, Light,    Auth,       |m| on(m, oauth::callback)),
    post("/api/auth/oauth/exchange",           Guest,  Light,    Auth,       |m| on(m, oauth::exchange)),
    post("/api/auth/password/reset",           Guest,  Message,  Auth,       |m| on(m, password::request_reset)),
    post("/api/auth/password/reset/confirm",   Guest,  Light,    Auth,       |m| on(m, password::confirm_reset)),
    put ("/api/auth/password",                 Bearer, SignIn,   Auth,       |m| on(m, password::change)),
    post("/api/auth/email/confirm",            Guest,  Light,    Auth,       |m| on(m, auth::confirm_email)),
    get ("/.well-known/jwks.json",             Public, Light,    Auth,       |m| on(m, auth::key_set)),

    // Player
    put ("/api/profile/{uid}",                 Bearer, Write,    Auth,       |m| on(m, profile::update)),
    delete("/api/profile/{uid}",               Bearer, Write,    Auth,       |m| on(m, profile::delete)),
    post("/api/upload",                        Bearer, Upload,   Auth,       |m| on(m, upload::upload)),
    get ("/media/{shelf}/{owner}/{file}",      Public, Media,    Nobody,     |m| on(m, media::read)),
    get ("/api/countries/list",                Guest,  Light,    Auth,       |m| on(m, reference::countries)),
    get ("/api/currencies/list",               Guest,  Light,    Auth,       |m| on(m, reference::currencies)),
    get ("/api/users/public",                  Bearer, Read,     Auth,       |m| on(m, users::public_many)),
    get ("/api/users/public/{id}",             Bearer, Read,     Auth,       |m| on(m, users::public)),
    get ("/api/users/get/{id}",                Bearer, Read,     Auth,       |m| on(m, users::public)),
    get ("/api/users/username/{username}",     Bearer, Read,     Auth,       |m| on(m, users::by_username)),
    get ("/api/referrals",                     Bearer, Read,     Auth,       |m| on(m, referrals::get)),
    post("/api/referrals",                     Bearer, Write,    Auth,       |m| on(m, referrals::redeem)),

    // Money
    get ("/api/payment-methods/list",          Guest,  Light,    Wallet,     |m| on(m, wallet::payment_methods)),
    get ("/api/wallets/balance",               Bearer, Read,     Wallet,     |m| on(m, wallet::balance)),
    get ("/api/wallets/list",                  Bearer, Read,     Wallet,     |m| on(m, wallet::transactions)),
    post("/api/payments/top-up",               Bearer, Money,    Wallet,     |m| on(m, wallet::top_up)),
    get ("/api/payments/{id}",                 Bearer, Read,     Wallet,     |m| on(m, wallet::payment)),
    post("/hooks/stk/{secret}",                Hook,   Callback, Wallet,     |m| on(m, hooks::stk)),

    // Play
    get ("/api/games/list",                    Guest,  Light,    Games,      |m| on(m, games::list)),
    get ("/api/games/get/{id}",                Guest,  Light,    Games,      |m| on(m, games::get)),
    get ("/api/tournaments",                   Guest,  Light,    Tournament, |m| on(m, tournaments::list)),
    get ("/api/tournaments/{id}",              Guest,  Light,    Tournament, |m| on(m, tournaments::get)),

    // Talk
    get ("/api/chat-rooms/list",               Bearer, Read,     Chat,       |m| on(m, chat::rooms)),

    // Live
    post(live::SUBSCRIBE,                      Bearer, Live,     Wallet,     |m| on(m, live::subscribe)),

    // Operations
    get ("/healthz",                           Public, Probe,    Nobody,     |m| on(m, health::alive)),
    get ("/readyz",                            Public, Probe,    Nobody,     |m| on(m, health::ready)),
];

type Handler = fn(MethodFilter) -> MethodRouter<Gateway>;

macro_rules! verbs {
    ($($verb:ident = $method:ident),*) => {$(
        const fn $verb(
            path: &'static str,
            who: Who,
            class: Class,
            upstream: Upstream,
            handler: Handler,
        ) -> Route {
            Route { method: Method::$method, path, who, class, upstream, handler }
        }
    )*};
}

verbs!(head = HEAD, get = GET, post = POST, put = PUT, delete = DELETE);
