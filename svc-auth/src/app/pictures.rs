//! Whose picture is whose.

use mesh::auth::Player;
use tracing::instrument;

use super::Cx;
use crate::{
    domain::{Picture, Profile},
    error::{Error, Refused},
    store,
};

/// A profile with its new picture, and the address that is nobody's now.
pub(crate) struct PictureSet {
    pub(crate) profile: Profile,
    pub(crate) replaced: Option<String>,
}

/// Makes a picture that was kept for the caller the caller's own; `None` is what was
/// not.
#[instrument(name = "auth.set_profile_picture", skip_all, fields(player.id = %caller.id))]
pub(crate) async fn set_profile_picture(
    cx: &Cx,
    caller: Player,
    picture: Option<Picture>,
) -> Result<PictureSet, Error> {
    let picture =
        picture.ok_or_else(|| Error::invalid("url", "That picture was not uploaded by you."))?;
    let mut tx = cx.db.begin().await?;
    let before = store::picture::set(&mut tx, caller.id, &picture, cx.clock.now()).await?;
    // Said twice, the second time replaces nothing: its old picture is the new one.
    let replaced = before.ok_or(Refused::PlayerGone)?.filter(|old| old != picture.as_str());
    let profile = store::player::profile(&mut tx, caller.id).await?.ok_or(Refused::PlayerGone)?;
    tx.commit().await?;
    Ok(PictureSet { profile, replaced })
}

/// Which of these pictures no player has.
#[instrument(name = "auth.find_unused_pictures", skip_all, fields(count = urls.len()))]
pub(crate) async fn find_unused_pictures(cx: &Cx, urls: Vec<String>) -> Result<Vec<String>, Error> {
    let mut conn = cx.db.acquire().await?;
    Ok(store::picture::unused(&mut conn, &urls).await?)
}
