//! Verbs: one file a use case. Each owns its transaction.

mod change_password;
mod confirm_email;
mod confirm_password_reset;
mod create_captcha;
mod delete_account;
mod exchange_oauth;
mod finish_oauth;
mod get_profile;
mod get_referral;
mod mails;
mod newcomer;
mod pictures;
mod players;
mod redeem_referral;
mod reference;
mod refresh;
mod request_password_reset;
mod revoked_sessions;
mod session;
mod sign_in;
mod sign_out;
mod sign_out_everywhere;
mod sign_up;
mod social;
mod spend_captcha;
mod start_oauth;
mod start_phone_sign_in;
mod sweep;
mod update_profile;
mod verify_phone_sign_in;

use std::{sync::Arc, time::Duration};

use mesh::{Base, Shutdown, auth::RevokedSessions, outbox::OutboxNotifier};
use sqlx::PgPool;
use types::{Clock, Rng};

pub(crate) use change_password::{ChangePassword, change_password};
pub(crate) use confirm_email::confirm_email;
pub(crate) use confirm_password_reset::{ConfirmPasswordReset, confirm_password_reset};
pub(crate) use create_captcha::create_captcha;
pub(crate) use delete_account::{DeleteAccount, delete_account, erase_accounts};
pub(crate) use exchange_oauth::exchange_oauth;
pub(crate) use finish_oauth::{Answer, FinishOAuth, finish_oauth};
pub(crate) use get_profile::{OwnProfile, get_profile};
pub(crate) use get_referral::get_referral;
pub(crate) use mails::{
    CONFIRMATION_TOPIC, JOINED_TOPIC, PASSWORD_CHANGED_TOPIC, RESET_TOPIC, mail_confirmation,
    mail_joined, mail_password_changed, mail_reset,
};
pub(crate) use pictures::{PictureSet, find_unused_pictures, set_profile_picture};
pub(crate) use players::{find_by_username, public_players};
pub(crate) use redeem_referral::redeem_referral;
pub(crate) use reference::{list_countries, list_currencies};
pub(crate) use refresh::refresh;
pub(crate) use request_password_reset::request_password_reset;
pub(crate) use revoked_sessions::read_ended_sessions;
pub(crate) use session::SignedIn;
pub(crate) use sign_in::{SignIn, sign_in};
pub(crate) use sign_out::sign_out;
pub(crate) use sign_out_everywhere::sign_out_everywhere;
pub(crate) use sign_up::{SignUp, sign_up};
pub(crate) use start_oauth::{Started, start_oauth};
pub(crate) use start_phone_sign_in::{CodeSent, StartPhoneSignIn, start_phone_sign_in};
pub(crate) use sweep::sweep;
pub(crate) use update_profile::{UpdateProfile, update_profile};
pub(crate) use verify_phone_sign_in::{VerifyPhoneSignIn, verify_phone_sign_in};

use crate::{
    config::{Judged, Messaging, OAuth, Origin},
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
    pub(crate) rng: Rng,
    pub(crate) access: AccessTokens,
    pub(crate) refresher: Refresher,
    pub(crate) captcha: Captcha,
    pub(crate) hasher: Hasher,
    pub(crate) guard: Guard,
    pub(crate) terms: Terms,
    pub(crate) session_ttl: Duration,
    /// What links and codes that we send are good for.
    pub(crate) origin: Origin,
    pub(crate) messaging: Messaging,
    /// Rung when a mail is owed.
    pub(crate) outbox: OutboxNotifier,
    /// Sessions whose access tokens are refused, as this process knows them.
    pub(crate) ended: RevokedSessions,
    pub(crate) oauth: OAuth,
    /// Where work is done that nobody may wait for any more.
    pub(crate) shutdown: Shutdown,
    lists: reference::Lists,
}

impl Cx {
    pub(crate) fn new(base: &Base, db: PgPool, judged: Judged) -> Self {
        Self(Arc::new(Inner {
            db,
            clock: base.clock.clone(),
            rng: base.rng.clone(),
            access: judged.access,
            refresher: judged.refresher,
            captcha: judged.captcha,
            hasher: judged.hasher,
            guard: judged.guard,
            terms: judged.terms,
            session_ttl: judged.session_ttl,
            origin: judged.origin,
            messaging: judged.messaging,
            outbox: OutboxNotifier::default(),
            ended: RevokedSessions::default(),
            oauth: judged.oauth,
            shutdown: base.shutdown.clone(),
            lists: reference::Lists::default(),
        }))
    }
}

impl std::ops::Deref for Cx {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.0
    }
}
