//! The caller's own profile.

use mesh::auth::Player;
use tracing::instrument;

use super::Cx;
use crate::{
    domain::Profile,
    error::{Error, Refused},
    store,
};

/// A profile, and whether this was the first look at it.
pub(crate) struct OwnProfile {
    pub(crate) profile: Profile,
    pub(crate) created: bool,
}

/// Reads the profile. Of all first looks at once, one is the first.
#[instrument(name = "auth.get_profile", skip_all, fields(player.id = %caller.id))]
pub(crate) async fn get_profile(cx: &Cx, caller: Player) -> Result<OwnProfile, Error> {
    let mut conn = cx.db.acquire().await?;
    let profile = store::player::profile(&mut conn, caller.id).await?.ok_or(Refused::PlayerGone)?;
    let created = profile.first_seen_at.is_none()
        && store::player::mark_seen(&mut conn, caller.id, cx.clock.now()).await?;
    Ok(OwnProfile { profile, created })
}
