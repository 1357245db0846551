//! Every route of the gateway, in one table: its attack surface.
//!
//! The router is built from this table alone, so a path that has no row is a file of the
//! web app, or a 404. `{…}` is one path segment; a trailing slash makes no difference.

use axum::routing::MethodFilter;
use http::Method;
use proto::Priority;

pub use crate::upstreams::Upstream;
use crate::{
    field_names::FieldNames,
    health, hooks,
    http::{
        auth, chat, data_copy, device, games, media, messages, notifications, oauth, openapi,
        password, payout_phones, payouts, phone, play, profile, push, reference, referrals,
        result_proof, runs, safety, spending, statement, subscriptions, support, tournaments,
        upload, users, vitals, wallet,
    },
    live,
    openapi::operation::{Mounted, on},
};
use Access::{Anywhere, Bearer, Guest, Hook, Public, Session};
use RateClass::{
    Callback, Captcha, Code, Feedback, Light, Live, Media, Message, Money, Probe, Read, Refresh,
    Reset, Score, SignIn, Static, Upload, Write,
};
use Upstream::{Auth, Chat, Games, Local, Tournament, Wallet};

/// A route.
pub struct Route {
    /// The HTTP method. `GET` serves `HEAD`, too.
    pub method: Method,
    /// The path in axum's syntax, without a trailing slash.
    pub path: &'static str,
    /// Who may call.
    pub access: Access,
    /// The rate limit that counts its calls.
    pub class: RateClass,
    /// The service that answers.
    pub upstream: Upstream,
    /// Makes the handler for the method.
    pub handler: Handler,
}

type Handler = fn(MethodFilter) -> Mounted;

/// Who may call a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Anyone. A caller with an invalid token is a guest here.
    Guest,
    /// A signed-in player.
    Bearer,
    /// Anyone with the ticket of a play session, which is in the body. Games call it from
    /// their own origin.
    Session,
    /// A provider that knows the path's secret.
    Hook,
    /// Anyone. The token is not verified.
    Public,
    /// Anyone, also from the pages of other origins. The token is not verified.
    Anywhere,
}

/// A kind of call with a rate limit of its own. The limits are [`crate::config::Rates`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RateClass {
    /// Calls that guests may make; counted by device or address, for a signed-in player by player.
    Light,
    /// Attempts with a password; failures are counted as well, by device or address.
    SignIn,
    /// Attempts with a code that was sent to a phone or a mailbox; failures are counted as well,
    /// by device or address. They have windows of their own, so that junk codes keep nobody with a
    /// password out.
    Code,
    /// Renewals of a session, which svc-auth counts by session. They are not counted by address:
    /// thousands of players share one, and a stranger behind it must not sign them out.
    Refresh,
    /// Captchas, and the device tokens that they buy; not limited, because both cost the client
    /// work.
    Captcha,
    /// Calls that send a text message or an email; counted by device or address, for players too.
    Message,
    /// Requests of a link for a new password; counted by device or address, for players too. They
    /// have a window of their own, so that junk keeps nobody from signing up.
    Reset,
    /// Feedback, which is mailed to the support; counted by device or address for guests, by player
    /// for players.
    Feedback,
    /// Reads.
    Read,
    /// Writes that move no money.
    Write,
    /// Submissions of runs; counted by play session, which the body names. They are not counted by
    /// address: the leader of a tournament must not block the others behind the same address.
    Score,
    /// Writes that move money.
    Money,
    /// Uploads, which take time and memory.
    Upload,
    /// Reads of players' media; counted by device or address.
    Media,
    /// Files of the web app, which are in memory, and paths that do not exist; not limited.
    Static,
    /// Openings of a live stream.
    Live,
    /// Providers' callbacks; counted by address.
    Callback,
    /// Probes of this process; not limited.
    Probe,
}

/// The routes.
#[rustfmt::skip]
pub static ROUTES: &[Route] = &[
    // Identity
    head("/api/auth/login",                    Guest,  Probe,    Local,     |m| on(m, auth::reachable)),
    get ("/api/auth/login",                    Bearer, Read,     Auth,       |m| on(m, profile::log_in)),
    get ("/api/auth/providers",                Guest,  Light,    Auth,       |m| on(m, auth::list_providers)),
    get ("/api/auth/captcha",                  Guest,  Captcha,  Auth,       |m| on(m, auth::create_captcha)),
    post("/api/auth/sign-up",                  Guest,  Message,  Auth,       |m| on(m, auth::sign_up)),
    post("/api/auth/sign-in",                  Guest,  SignIn,   Auth,       |m| on(m, auth::sign_in)),
    post("/api/auth/refresh",                  Guest,  Refresh,  Auth,       |m| on(m, auth::refresh)),
    post("/api/auth/sign-out",                 Bearer, Write,    Auth,       |m| on(m, auth::sign_out)),
    post("/api/auth/sign-out-everywhere",      Bearer, Write,    Auth,       |m| on(m, auth::sign_out_everywhere)),
    post("/api/auth/phone/start",              Guest,  Message,  Auth,       |m| on(m, phone::start)),
    post("/api/auth/phone/verify",             Guest,  Code,     Auth,       |m| on(m, phone::verify)),
    get ("/api/auth/oauth/{provider}/start",   Guest,  Light,    Auth,       |m| on(m, oauth::start)),
    get ("/api/auth/oauth/{provider}/callback", Guest, Light,    Auth,       |m| on(m, oauth::callback)),
    post("/api/auth/oauth/exchange",           Guest,  Light,    Auth,       |m| on(m, oauth::exchange)),
    post("/api/auth/oauth/join",               Guest,  Message,  Auth,       |m| on(m, oauth::start_join)),
    post("/api/auth/oauth/join/confirm",       Guest,  Code,     Auth,       |m| on(m, oauth::confirm_join)),
    post("/api/auth/password/reset",           Guest,  Reset,    Auth,       |m| on(m, password::request_reset)),
    post("/api/auth/password/reset/confirm",   Guest,  Light,    Auth,       |m| on(m, password::confirm_reset)),
    put ("/api/auth/password",                 Bearer, SignIn,   Auth,       |m| on(m, password::change)),
    post("/api/auth/email/confirm",            Guest,  Code,     Auth,       |m| on(m, auth::confirm_email)),
    post("/api/auth/email/reject",             Guest,  Light,    Auth,       |m| on(m, auth::reject_email)),
    post("/api/auth/device",                   Guest,  Captcha,  Auth,       |m| on(m, device::introduce)),
    post("/api/auth/device/start",             Bearer, Write,    Auth,       |m| on(m, device::start)),
    post("/api/auth/device/confirm",           Bearer, Code,     Auth,       |m| on(m, device::confirm)),
    get ("/.well-known/jwks.json",             Public, Light,    Auth,       |m| on(m, auth::key_set)),

    // Player
    put ("/api/profile/{uid}",                 Bearer, Write,    Auth,       |m| on(m, profile::update)),
    delete("/api/profile/{uid}",               Bearer, Write,    Auth,       |m| on(m, profile::delete)),
    post("/api/profile/break",                 Bearer, Write,    Auth,       |m| on(m, profile::start_break)),
    post("/api/profile/data-copy",             Bearer, Write,    Auth,       |m| on(m, data_copy::request_copy)),
    get ("/api/profile/data-copy",             Bearer, Read,     Auth,       |m| on(m, data_copy::state)),
    get ("/api/profile/data-copy/file",        Bearer, Write,    Auth,       |m| on(m, data_copy::file)),
    post("/api/upload",                        Bearer, Upload,   Auth,       |m| on(m, upload::upload)),
    get ("/media/{shelf}/{owner}/{file}",      Public, Media,    Local,     |m| on(m, media::read)),
    get ("/api/countries/list",                Guest,  Light,    Auth,       |m| on(m, reference::countries)),
    get ("/api/currencies/list",               Guest,  Light,    Auth,       |m| on(m, reference::currencies)),
    get ("/api/users/public",                  Bearer, Read,     Auth,       |m| on(m, users::public_many)),
    get ("/api/users/public/{id}",             Bearer, Read,     Auth,       |m| on(m, users::public)),
    get ("/api/users/get/{id}",                Bearer, Read,     Auth,       |m| on(m, users::public)),
    get ("/api/users/username/{username}",     Bearer, Read,     Auth,       |m| on(m, users::by_username)),
    get ("/api/referrals",                     Bearer, Read,     Auth,       |m| on(m, referrals::get)),
    post("/api/referrals",                     Bearer, Write,    Auth,       |m| on(m, referrals::redeem)),

    // Money
    get ("/api/payout-phones",                 Bearer, Read,     Auth,       |m| on(m, payout_phones::list)),
    post("/api/payout-phones/start",           Bearer, Message,  Auth,       |m| on(m, payout_phones::start)),
    post("/api/payout-phones/confirm",         Bearer, Code,     Auth,       |m| on(m, payout_phones::confirm)),
    get ("/api/payment-methods/list",          Guest,  Light,    Wallet,     |m| on(m, wallet::payment_methods)),
    get ("/api/wallets/balance",               Bearer, Read,     Wallet,     |m| on(m, wallet::balance)),
    get ("/api/wallets/list",                  Bearer, Read,     Wallet,     |m| on(m, wallet::transactions)),
    get ("/api/wallets/transactions/{id}",     Bearer, Read,     Wallet,     |m| on(m, wallet::transaction)),
    get ("/api/wallets/statement",             Bearer, Write,    Wallet,     |m| on(m, statement::read)),
    get ("/api/wallets/withdraw-charges/{paymentMethodId}", Bearer, Read, Wallet, |m| on(m, payouts::charges)),
    post("/api/wallets/withdraw",              Bearer, Money,    Wallet,     |m| on(m, payouts::withdraw)),
    get ("/api/spending",                      Bearer, Read,     Wallet,     |m| on(m, spending::read)),
    put ("/api/spending/limit",                Bearer, Write,    Wallet,     |m| on(m, spending::set_limit)),
    post("/api/payments/top-up",               Bearer, Money,    Wallet,     |m| on(m, wallet::top_up)),
    post("/api/payments/subscribe",            Bearer, Money,    Wallet,     |m| on(m, subscriptions::subscribe)),
    get ("/api/payments/{id}",                 Bearer, Read,     Wallet,     |m| on(m, wallet::payment)),
    get ("/api/subscription-packages/list",    Guest,  Light,    Wallet,     |m| on(m, subscriptions::packages)),
    get ("/api/subscriptions/list",            Bearer, Read,     Wallet,     |m| on(m, subscriptions::list)),
    post("/hooks/stk/{secret}",                Hook,   Callback, Wallet,     |m| on(m, hooks::stk)),
    post("/hooks/b2c/{secret}",                Hook,   Callback, Wallet,     |m| on(m, hooks::b2c)),
    post("/hooks/timeout/{secret}",            Hook,   Callback, Wallet,     |m| on(m, hooks::timeout)),
    post("/hooks/status/{secret}",             Hook,   Callback, Wallet,     |m| on(m, hooks::status)),
    post("/hooks/reversal/{secret}",           Hook,   Callback, Wallet,     |m| on(m, hooks::reversal)),
    post("/hooks/airtime/{secret}",            Hook,   Callback, Wallet,     |m| on(m, hooks::airtime)),
    post("/hooks/paystack",                    Hook,   Callback, Wallet,     |m| on(m, hooks::paystack)),

    // Play
    get ("/api/games/list",                    Guest,  Light,    Games,      |m| on(m, games::list)),
    get ("/api/games/get/{id}",                Guest,  Light,    Games,      |m| on(m, games::get)),
    get ("/api/profile/recent-games",          Bearer, Read,     Games,      |m| on(m, games::recent)),
    post("/api/games/{id}/sessions",           Bearer, Write,    Games,      |m| on(m, play::start_session)),
    post("/api/runs",                          Session, Score,   Games,      |m| on(m, play::begin_run)),
    post("/api/runs/pieces",                   Session, Score,   Games,      |m| on(m, play::commit_piece)),
    post("/api/scores",                        Session, Score,   Games,      |m| on(m, play::submit_score)),
    get ("/api/games/{id}/best-run",           Bearer, Read,     Games,      |m| on(m, runs::best)),
    get ("/api/tournaments/{id}/runs-left",    Bearer, Read,     Games,      |m| on(m, runs::left)),
    get ("/api/tournaments/{id}/runs/{userId}", Bearer, Read,    Games,      |m| on(m, runs::in_tournament)),
    get ("/api/events",                        Guest,  Light,    Games,      |m| on(m, games::events)),
    get ("/api/playon-tv/list",                Guest,  Light,    Games,      |m| on(m, games::tv_items)),
    get ("/api/tournaments",                   Guest,  Light,    Tournament, |m| on(m, tournaments::list)),
    get ("/api/tournaments/{id}",              Guest,  Light,    Tournament, |m| on(m, tournaments::get)),
    get ("/api/tournaments/{id}/proof",        Anywhere, Light,  Tournament, |m| on(m, result_proof::get)),
    post("/api/tournament-leaderboards/{id}",  Bearer, Read,     Tournament, |m| on(m, tournaments::leaderboard)),
    get ("/api/tournament-awards/tournament/{id}", Guest, Light, Tournament, |m| on(m, tournaments::awards)),
    get ("/api/hall-of-fame",                  Guest,  Light,    Tournament, |m| on(m, tournaments::hall_of_fame)),

    // Talk
    get ("/api/chat-rooms/list",               Bearer, Read,     Chat,       |m| on(m, chat::rooms)),
    get ("/api/profile/chatrooms",             Bearer, Read,     Chat,       |m| on(m, chat::joined)),
    get ("/api/profile/chatroom-join/{chatRoomUid}", Bearer, Write, Chat,    |m| on(m, chat::join)),
    get ("/api/profile/chatroom-leave/{chatRoomUid}", Bearer, Write, Chat,   |m| on(m, chat::leave)),
    post("/api/chats/list",                    Bearer, Read,     Chat,       |m| on(m, messages::list)),
    post("/api/chats/send",                    Bearer, Write,    Chat,       |m| on(m, messages::send)),
    post("/api/chats/read",                    Bearer, Write,    Chat,       |m| on(m, chat::mark_read)),
    delete("/api/chats/{id}",                  Bearer, Write,    Chat,       |m| on(m, messages::delete)),
    post("/api/chats/{id}/report",             Bearer, Write,    Chat,       |m| on(m, safety::report)),
    get ("/api/chat-rooms/{chatRoomUid}/sending", Bearer, Read,  Chat,       |m| on(m, safety::sending)),
    get ("/api/profile/blocked-players",       Bearer, Read,     Chat,       |m| on(m, safety::blocked)),
    post("/api/profile/blocked-players",       Bearer, Write,    Chat,       |m| on(m, safety::block)),
    delete("/api/profile/blocked-players/{id}", Bearer, Write,   Chat,       |m| on(m, safety::unblock)),
    get ("/api/profile/notifications",         Bearer, Read,     Chat,       |m| on(m, notifications::list)),
    get ("/api/profile/notifications/unread",  Bearer, Read,     Chat,       |m| on(m, notifications::unread)),
    post("/api/profile/notifications/read",    Bearer, Write,    Chat,       |m| on(m, notifications::mark_read)),

    get ("/api/contact-us/list",               Guest,  Light,    Chat,       |m| on(m, support::contacts)),
    post("/api/contact-us/feedback",           Guest,  Feedback, Chat,       |m| on(m, support::feedback)),
    get ("/api/profile/push-key",              Guest,  Light,    Chat,       |m| on(m, push::key)),
    post("/api/profile/device-token",          Bearer, Write,    Chat,       |m| on(m, push::register)),
    post("/api/profile/device-token/remove",   Bearer, Write,    Chat,       |m| on(m, push::remove)),
    get ("/api/profile/notification-settings", Bearer, Read,     Chat,       |m| on(m, push::settings)),
    post("/api/profile/notification-settings", Bearer, Write,    Chat,       |m| on(m, push::update_settings)),

    // Live
    post(live::SUBSCRIBE,                      Bearer, Live,     Wallet,     |m| on(m, live::subscribe)),

    // Operations
    get ("/healthz",                           Public, Probe,    Local,     |m| on(m, health::alive)),
    get ("/readyz",                            Public, Probe,    Local,     |m| on(m, health::ready)),
    get ("/statusz",                           Public, Probe,    Local,     |m| on(m, health::status)),
    get ("/api/openapi.json",                  Guest,  Light,    Local,     |m| on(m, openapi::read)),
    post("/api/rum",                           Guest,  Light,    Local,     |m| on(m, vitals::record)),
];

impl Route {
    /// The names of the request's fields, in its service's contract and in JSON.
    pub fn field_names(&self) -> FieldNames {
        (self.handler)(MethodFilter::GET).operation.names
    }

    /// When a call is shed: cheap reads first and money last, as the contract has it for
    /// the RPCs behind the routes.
    pub fn priority(&self) -> Priority {
        match self.class {
            Money | Callback => Priority::High,
            // Players wait for their money.
            Read if self.path == "/api/payments/{id}" => Priority::Normal,
            Light if self.method == Method::GET => Priority::Low,
            Read | Media | Static | Probe | Captcha => Priority::Low,
            Light | SignIn | Code | Refresh | Message | Reset | Feedback | Write | Score
            | Upload | Live => Priority::Normal,
        }
    }
}

macro_rules! verbs {
    ($($verb:ident = $method:ident),*) => {$(
        const fn $verb(
            path: &'static str,
            access: Access,
            class: RateClass,
            upstream: Upstream,
            handler: Handler,
        ) -> Route {
            Route { method: Method::$method, path, access, class, upstream, handler }
        }
    )*};
}

verbs!(head = HEAD, get = GET, post = POST, put = PUT, delete = DELETE);
