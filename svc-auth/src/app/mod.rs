//! Use cases, one a file. Each owns its transaction.

mod admit_operator;
mod approve_device;
mod batch_get_public_players;
mod batch_look_up_players;
mod cached;
mod change_password;
mod collect_data_copy;
mod compare_identities;
mod confirm_device;
mod confirm_email;
mod confirm_oauth_join;
mod confirm_password_reset;
mod confirm_payout_phone;
mod create_captcha;
mod create_player;
mod delete_account;
mod download_data_copy;
mod erase_accounts;
mod exchange_oauth;
mod find_by_username;
mod find_unused_pictures;
mod finish_oauth;
mod former_account;
mod get_data_copy;
mod get_own_phone;
mod get_profile;
mod get_referral;
mod introduce_device;
mod list_devices;
mod list_erased_players;
mod list_open_sessions;
mod list_payout_phones;
mod list_players_on_break;
mod mails;
mod notify_new_device;
mod notify_payout_phone;
mod operators;
mod provider_player;
mod redeem_referral;
mod reference;
mod refresh;
mod refuse_guessable;
mod reject_email;
mod request_data_copy;
mod request_password_reset;
mod revoked_sessions;
mod session;
mod set_profile_picture;
mod sign_in;
mod sign_out;
mod sign_out_everywhere;
mod sign_up;
mod spend_captcha;
mod start_break;
mod start_device_confirmation;
mod start_oauth;
mod start_oauth_join;
mod start_payout_phone;
mod start_phone_sign_in;
mod sweep;
mod update_profile;
mod verify_phone_sign_in;

use std::{sync::Arc, time::Duration};

use mesh::{
    Base, Shutdown,
    auth::DeviceTokens,
    db::{Pool, Pools},
    outbox::OutboxNotifier,
};
use tokio::sync::Semaphore;
use types::{Clock, Rng};

pub(crate) use admit_operator::{AdmitOperator, admit_operator, list_acts};
pub(crate) use approve_device::{ApproveDevice, approve_device};
pub(crate) use batch_get_public_players::batch_get_public_players;
pub(crate) use batch_look_up_players::batch_look_up_players;
pub(crate) use change_password::{ChangePassword, change_password};
pub(crate) use collect_data_copy::{
    COLLECT_TOPIC, COPY_READY_TOPIC, collect_data_copy, notify_copy_ready,
};
pub(crate) use compare_identities::compare_identities;
pub(crate) use confirm_device::confirm_device;
pub(crate) use confirm_email::{ConfirmEmail, confirm_email};
pub(crate) use confirm_oauth_join::{ConfirmOAuthJoin, confirm_oauth_join};
pub(crate) use confirm_password_reset::{ConfirmPasswordReset, confirm_password_reset};
pub(crate) use confirm_payout_phone::confirm_payout_phone;
pub(crate) use create_captcha::create_captcha;
pub(crate) use delete_account::{DeleteAccount, delete_account};
pub(crate) use download_data_copy::download_data_copy;
pub(crate) use erase_accounts::erase_accounts;
pub(crate) use exchange_oauth::exchange_oauth;
pub(crate) use find_by_username::find_by_username;
pub(crate) use find_unused_pictures::find_unused_pictures;
pub(crate) use finish_oauth::{Answer, FinishOAuth, finish_oauth};
pub(crate) use former_account::{FORMER_MONEY_TOPIC, move_former_money};
pub(crate) use get_data_copy::get_data_copy;
pub(crate) use get_own_phone::get_own_phone;
pub(crate) use get_profile::{OwnProfile, get_profile};
pub(crate) use get_referral::get_referral;
pub(crate) use introduce_device::introduce_device;
pub(crate) use list_devices::list_devices;
pub(crate) use list_erased_players::list_erased_players;
pub(crate) use list_open_sessions::list_open_sessions;
pub(crate) use list_payout_phones::{get_payout_phone, list_payout_phones};
pub(crate) use list_players_on_break::list_players_on_break;
pub(crate) use mails::{
    CONFIRMATION_TOPIC, DEVICE_CODE_TOPIC, JOIN_CODE_TOPIC, JOINED_TOPIC, PASSWORD_CHANGED_TOPIC,
    PAYOUT_PHONE_MAIL_TOPIC, RESET_TOPIC, mail_confirmation, mail_device_code, mail_join_code,
    mail_joined, mail_password_changed, mail_payout_phone, mail_reset,
};
pub(crate) use notify_new_device::{NEW_DEVICE_TOPIC, notify_new_device};
pub(crate) use notify_payout_phone::{PAYOUT_PHONE_TOPIC, notify_payout_phone};
pub(crate) use operators::{list_operators, revoke_certificate, set_roles};
pub(crate) use redeem_referral::redeem_referral;
pub(crate) use reference::{list_countries, list_currencies};
pub(crate) use refresh::{BrowserTokens, refresh};
pub(crate) use reject_email::reject_email;
pub(crate) use request_data_copy::request_data_copy;
pub(crate) use request_password_reset::{RequestPasswordReset, request_password_reset};
pub(crate) use revoked_sessions::update_revoked_sessions;
pub(crate) use session::SignedIn;
pub(crate) use set_profile_picture::{PictureSet, set_profile_picture};
pub(crate) use sign_in::{SignIn, sign_in};
pub(crate) use sign_out::sign_out;
pub(crate) use sign_out_everywhere::sign_out_everywhere;
pub(crate) use sign_up::{SignUp, sign_up};
pub(crate) use start_break::start_break;
pub(crate) use start_device_confirmation::{CodeMailed, start_device_confirmation};
pub(crate) use start_oauth::{Started, start_oauth};
pub(crate) use start_oauth_join::start_oauth_join;
pub(crate) use start_payout_phone::{PayoutCodeSent, start_payout_phone};
pub(crate) use start_phone_sign_in::{CodeSent, StartPhoneSignIn, start_phone_sign_in};
pub(crate) use sweep::sweep;
pub(crate) use update_profile::{UpdateProfile, update_profile};
pub(crate) use verify_phone_sign_in::{VerifyPhoneSignIn, verify_phone_sign_in};

use self::cached::{ReferenceLists, RevokedSessionList};
use crate::{
    clients::{notifications::Notifications, player_data::PlayerDataSources, wallets::Wallets},
    config::{Messaging, OAuth, Origin, ValidatedConfig},
    crypto::{AccessTokens, Captcha, Hasher, Refresher},
    domain::{DeviceId, OperatorName, ReservedUsernames, RotationPolicy, SignInRateLimit},
};

/// Most calls of operators that are admitted at once. Each holds a connection.
const ADMISSIONS: usize = 2;

/// The dependencies of the use cases. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Cx {
    pub(crate) db: Pool,
    jobs_db: Pool,
    inner: Arc<Inner>,
}

/// The parts of a [`Cx`] that calls and jobs share.
pub(crate) struct Inner {
    pub(crate) clock: Clock,
    pub(crate) rng: Rng,
    pub(crate) access: AccessTokens,
    pub(crate) refresher: Refresher,
    pub(crate) devices: DeviceTokens,
    pub(crate) captcha: Captcha,
    pub(crate) hasher: Hasher,
    pub(crate) sign_in_rate_limit: SignInRateLimit,
    pub(crate) rotation_policy: RotationPolicy,
    pub(crate) session_ttl: Duration,
    pub(crate) origin: Origin,
    pub(crate) messaging: Messaging,
    pub(crate) notifications: Notifications,
    /// The other services, which are asked for what they store about a player.
    pub(crate) data_sources: PlayerDataSources,
    pub(crate) wallets: Wallets,
    pub(crate) reserved: ReservedUsernames,
    /// The operators who have all roles, to set up the others.
    pub(crate) first_operators: Vec<OperatorName>,
    /// The permits of operators' calls to be admitted.
    admissions: Semaphore,
    /// Wakes the relay after a commit that wrote a mail.
    pub(crate) outbox: OutboxNotifier,
    pub(crate) revoked: RevokedSessionList,
    pub(crate) oauth: OAuth,
    /// Spawns work that outlives its call.
    pub(crate) shutdown: Shutdown,
    reference: ReferenceLists,
}

impl Cx {
    pub(crate) fn new(
        base: &Base,
        pools: &Pools,
        notifications: Notifications,
        data_sources: PlayerDataSources,
        config: ValidatedConfig,
    ) -> Self {
        let inner = Inner {
            clock: base.clock.clone(),
            rng: base.rng.clone(),
            access: config.access,
            refresher: config.refresher,
            devices: config.devices,
            captcha: config.captcha,
            hasher: config.hasher,
            sign_in_rate_limit: config.sign_in_rate_limit,
            rotation_policy: config.rotation_policy,
            session_ttl: config.session_ttl,
            origin: config.origin,
            messaging: config.messaging,
            notifications,
            wallets: Wallets::new(data_sources.wallet.clone()),
            data_sources,
            reserved: config.reserved,
            first_operators: config.first_operators,
            admissions: Semaphore::new(ADMISSIONS),
            outbox: OutboxNotifier::default(),
            revoked: RevokedSessionList::default(),
            oauth: config.oauth,
            shutdown: base.shutdown.clone(),
            reference: ReferenceLists::default(),
        };
        Self { db: pools.calls.clone(), jobs_db: pools.jobs.clone(), inner: Arc::new(inner) }
    }

    /// The device of a token that a browser sent; `None` for a text that is no token.
    pub(crate) fn device(&self, token: &str) -> Option<DeviceId> {
        self.devices.verify(token).map(DeviceId::from)
    }

    /// Returns the same dependencies for jobs and outbox handlers, which have connections of their
    /// own.
    pub(crate) fn for_jobs(&self) -> Self {
        Self { db: self.jobs_db.clone(), ..self.clone() }
    }
}

impl std::ops::Deref for Cx {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.inner
    }
}
