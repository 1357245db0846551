//! A player's {{nouns_words}}.

use mesh::instrument;
use types::{Cursor, PlayerId};

use crate::{
    app::Cx,
    domain::{{{Noun}}, {{Noun}}Id},
    error::Error,
    store,
};

/// A page of the player's {{nouns_words}}, newest first, and the token of the next page.
#[instrument(name = "{{name}}.list_{{nouns}}", skip_all, fields(player.id = %player))]
pub(crate) async fn list_{{nouns}}(
    cx: &Cx,
    player: PlayerId,
    cursor: &Cursor<{{Noun}}Id>,
) -> Result<(Vec<{{Noun}}>, String), Error> {
    let mut conn = cx.db.acquire().await?;
    let before = cursor.after().copied();
    let found = store::{{noun}}::list(&mut conn, player, before, cursor.fetch()).await?;
    Ok(cursor.finish(found, |{{noun}}| {{noun}}.id))
}
