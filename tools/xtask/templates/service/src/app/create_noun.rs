//! Creates {{a_noun_words}}: an idempotent write with an outbox row.

use mesh::{
    idempotency::{self, Claim, Fingerprint, RequestId},
    instrument, outbox,
};
use serde::{Deserialize, Serialize};
use tracing::Span;
use types::PlayerId;

use crate::{
    app::Cx,
    domain::{Code, Name, {{Noun}}, {{Noun}}Id},
    error::{Error, Refused},
    store,
};

/// The outbox topic of {{nouns_words}} that were created.
pub(crate) const CREATED_TOPIC: &str = "{{noun}}.created";

/// The payload of an outbox row of [`CREATED_TOPIC`].
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Created {
    pub(crate) {{noun}}: {{Noun}}Id,
}

/// Creates {{a_noun_words}} of the player. A repeat of the request gets the {{noun_words}} that
/// the first one created.
#[instrument(name = "{{name}}.create_{{noun}}", skip_all, fields(player.id = %player, {{noun}}.id))]
pub(crate) async fn create_{{noun}}(
    cx: &Cx,
    player: PlayerId,
    request: &RequestId,
    name: Name,
) -> Result<{{Noun}}, Error> {
    let fingerprint = Fingerprint::of("{{name}}.create_{{noun}}", &[name.as_str()]);
    let now = cx.clock.now();
    let mut tx = cx.db.begin().await?;
    let pending = match idempotency::claim(&mut tx, player, request, &fingerprint, now).await? {
        Claim::New(pending) => pending,
        Claim::Replay(id) => {
            let first = store::{{noun}}::find(&mut tx, id).await?;
            return Ok(first.ok_or(Refused::{{Noun}}NotFound)?);
        }
    };
    let {{noun}} = {{Noun}} {
        id: {{Noun}}Id::generate(&cx.clock, &cx.rng),
        player,
        name,
        code: Code::generate(&cx.rng),
        created_at: now,
        expires_at: now + cx.lifetime,
        expired_at: None,
    };
    Span::current().record("{{noun}}.id", {{noun}}.id.to_string());
    store::{{noun}}::insert(&mut tx, &{{noun}}).await?;
    let created = Created { {{noun}}: {{noun}}.id };
    outbox::put(&mut tx, &cx.clock, &cx.rng, CREATED_TOPIC, &created).await?;
    pending.complete(&mut tx, &{{noun}}.id).await?;
    tx.commit().await?;
    cx.outbox.notify(CREATED_TOPIC);
    Ok({{noun}})
}
