//! One {{noun_words}} of its owner.

use mesh::instrument;
use types::PlayerId;

use crate::{
    app::Cx,
    domain::{{{Noun}}, {{Noun}}Id},
    error::{Error, Refused},
    store,
};

/// The {{noun_words}} with this id. For any other player it does not exist.
#[instrument(name = "{{name}}.get_{{noun}}", skip_all, fields(player.id = %player, {{noun}}.id = %id))]
pub(crate) async fn get_{{noun}}(cx: &Cx, player: PlayerId, id: {{Noun}}Id) -> Result<{{Noun}}, Error> {
    let mut conn = cx.db.acquire().await?;
    let found = store::{{noun}}::find(&mut conn, id).await?;
    let own = found.filter(|{{noun}}| {{noun}}.player == player);
    Ok(own.ok_or(Refused::{{Noun}}NotFound)?)
}
