//! Verbs: one file a use case. Each owns its transaction.

mod create_captcha;
mod ended_sessions;
mod get_profile;
mod players;
mod refresh;
mod session;
mod sign_in;
mod sign_out;
mod sign_out_everywhere;
mod sign_up;
mod sweep;
mod update_profile;

use std::{sync::Arc, time::Duration};

use mesh::{Base, auth::EndedSessions};
use sqlx::PgPool;
use types::{Chance, Clock};

pub(crate) use create_captcha::create_captcha;
pub(crate) use ended_sessions::read_ended_sessions;
pub(crate) use get_profile::{OwnProfile, get_profile};
pub(crate) use players::{find_by_username, public_players};
pub(crate) use refresh::refresh;
pub(crate) use session::SignedIn;
pub(crate) use sign_in::{SignIn, sign_in};
pub(crate) use sign_out::sign_out;
pub(crate) use sign_out_everywhere::sign_out_everywhere;
pub(crate) use sign_up::{SignUp, sign_up};
pub(crate) use sweep::sweep;
pub(crate) use update_profile::{UpdateProfile, update_profile};

use crate::{
    config::Judged,
    crypto::{AccessTokens, Captcha, Hasher, Refresher},
    domain::{Guard, Terms},
};

/// What use cases work with. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Cx(Arc<Inner>);

/// The parts of a [`Cx`].
pub(crate) struct Inner {
    pub(crate) db: PgPool,
    pub(crate) clock: Clock,
    pub(crate) chance: Chance,
    pub(crate) access: AccessTokens,
    pub(crate) refresher: Refresher,
    pub(crate) captcha: Captcha,
    pub(crate) hasher: Hasher,
    pub(crate) guard: Guard,
    pub(crate) terms: Terms,
    pub(crate) session_ttl: Duration,
    /// Sessions whose access tokens are refused, as this process knows them.
    pub(crate) ended: EndedSessions,
}

impl Cx {
    pub(crate) fn new(base: &Base, db: PgPool, judged: Judged) -> Self {
        Self(Arc::new(Inner {
            db,
            clock: base.clock.clone(),
            chance: base.chance.clone(),
            access: judged.access,
            refresher: judged.refresher,
            captcha: judged.captcha,
            hasher: judged.hasher,
            guard: judged.guard,
            terms: judged.terms,
            session_ttl: judged.session_ttl,
            ended: EndedSessions::default(),
        }))
    }
}

impl std::ops::Deref for Cx {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.0
    }
}
