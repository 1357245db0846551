//! A change to the caller's own profile.

use mesh::auth::Player;
use tracing::instrument;
use types::PlayerId;

use super::Cx;
use crate::{
    domain::{Draft, Facts, Profile},
    error::{Error, Refused},
    store,
};

/// Whose profile, and what should change.
pub(crate) struct UpdateProfile {
    /// `None` when the uid named nobody, and so not the caller.
    pub(crate) player: Option<PlayerId>,
    pub(crate) draft: Draft,
}

/// Changes all the fields given, or none.
#[instrument(name = "auth.update_profile", skip_all, fields(player.id = %caller.id))]
pub(crate) async fn update_profile(
    cx: &Cx,
    caller: Player,
    command: UpdateProfile,
) -> Result<Profile, Error> {
    if command.player != Some(caller.id) {
        return Err(Refused::ForeignProfile.into());
    }
    let draft = command.draft;
    let mut tx = cx.db.begin().await?;
    let codes = store::codes::known(&mut tx, draft.currency_code(), draft.country_code()).await?;
    let facts =
        Facts { now: cx.clock.now(), currency_known: codes.currency, country_known: codes.country };
    let edit = draft.judge(facts).map_err(Refused::Invalid)?;
    if edit.is_empty() {
        return Err(Refused::NothingToChange.into());
    }
    let profile = store::player::update(&mut tx, caller.id, &edit, facts.now).await?;
    tx.commit().await?;
    Ok(profile)
}
