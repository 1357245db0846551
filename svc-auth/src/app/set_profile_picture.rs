//! Sets a player's profile picture.

use mesh::{auth::Player, instrument};

use super::Cx;
use crate::{
    domain::{Picture, Profile},
    error::{Error, Refused, invalid},
    store,
};

/// A profile with its new picture, and the picture that it replaced.
pub(crate) struct PictureSet {
    pub(crate) profile: Profile,
    pub(crate) replaced: Option<String>,
}

/// Sets the caller's picture; `picture` is `None` for one that the caller did not upload.
#[instrument(name = "auth.set_profile_picture", skip_all, fields(player.id = %caller.id))]
pub(crate) async fn set_profile_picture(
    cx: &Cx,
    caller: Player,
    picture: Option<Picture>,
) -> Result<PictureSet, Error> {
    let picture = picture.ok_or_else(|| invalid("url", "PICTURE_NOT_YOURS"))?;
    let mut tx = cx.db.begin().await?;
    let before = store::picture::set(&mut tx, caller.id, &picture, cx.clock.now()).await?;
    // A retry replaces nothing: the old picture is the new one.
    let replaced = before.ok_or(Refused::PlayerGone)?.filter(|old| old != picture.as_str());
    let profile = store::player::find(&mut tx, caller.id).await?.ok_or(Refused::PlayerGone)?;
    tx.commit().await?;
    Ok(PictureSet { profile, replaced })
}
