//! Reads the caller's own profile.

use mesh::{auth::Player, instrument};

use super::Cx;
use crate::{
    domain::Profile,
    error::{Error, Refused},
    store,
};

/// A profile, and whether it was read for the first time.
pub(crate) struct OwnProfile {
    pub(crate) profile: Profile,
    pub(crate) created: bool,
}

/// Reads the profile. Of concurrent first reads exactly one is reported as the first.
#[instrument(name = "auth.get_profile", skip_all, fields(player.id = %caller.id))]
pub(crate) async fn get_profile(cx: &Cx, caller: Player) -> Result<OwnProfile, Error> {
    let mut conn = cx.db.acquire().await?;
    let profile = store::player::find(&mut conn, caller.id).await?.ok_or(Refused::PlayerGone)?;
    let created = profile.first_seen_at.is_none()
        && store::player::mark_seen(&mut conn, caller.id, cx.clock.now()).await?;
    Ok(OwnProfile { profile, created })
}
