//! The content that operators publish: tables `tournament` and `content_change`.

use mesh::db::statement;
use serde_json::{Value, json};
use sqlx::{PgConnection, types::Uuid};
use time::OffsetDateTime;
use types::{Key, LocalText, Money};

use super::{award, decoded};
use crate::domain::{Award, GameId, Proof, TournamentId, TournamentManifest, total_cash};

/// The id that players see. It follows from the key, so that content can refer to other
/// content, and is the same in every database.
pub(crate) fn tournament_id(key: &Key) -> TournamentId {
    types::content_id("Tournament", key.as_str()).into()
}

/// The id that svc-games gives to the game of this key.
pub(crate) fn game_id(key: &Key) -> GameId {
    types::content_id("Game", key.as_str()).into()
}

/// A manifest in the audit.
pub(crate) fn audited(tournament: &TournamentManifest, proof: &Proof) -> Value {
    let awards = tournament.awards.iter().map(|award| {
        json!({
            "position": award.position,
            "tier": award.tier.to_string(),
            "name": award.name,
            "cashCents": award.cash.map(Money::cents),
        })
    });
    json!({
        "name": tournament.name,
        "description": tournament.description,
        "game": tournament.game.as_str(),
        "level": tournament.level,
        "starts": tournament.starts.unix_timestamp(),
        "ends": tournament.ends.unix_timestamp(),
        "rounds": tournament.rounds,
        "runsPerRound": tournament.runs_per_round,
        "awards": awards.collect::<Value>(),
        "reviewWinners": tournament.review_winners,
        "fameTitle": tournament.fame_title,
        "fameDescription": tournament.fame_description,
        "rulesSha256": proof.rules_sha256.as_ref().map(hex::encode),
        "scoreKey": proof.score_key.as_ref().map(hex::encode),
    })
}

/// Returns the cash of the tournaments that an operator published since a time, but for that of the
/// tournament that has a key now: of each the highest award of each position. A tournament that was
/// removed counts by itself, also if another one has its key.
#[statement]
pub(crate) async fn cash_since(
    conn: &mut PgConnection,
    but: &Key,
    operator: &str,
    since: OffsetDateTime,
) -> sqlx::Result<Money> {
    let cash = sqlx::query_scalar!(
        r#"SELECT coalesce(sum(most), 0)::bigint AS "cash!" FROM (
             SELECT max((award->>'cashCents')::bigint) AS most
             FROM (
                 SELECT *, count(*) FILTER (WHERE change = 'Deleted')
                     OVER (PARTITION BY key ORDER BY changed_at DESC, id DESC) AS removals_after
                 FROM content_change WHERE changed_at > $2 AND kind = 'Tournament'
             ) AS change, jsonb_array_elements(content->'awards') AS award
             WHERE operator = $1 AND change IN ('Created', 'Updated')
                 AND (key <> $3 OR removals_after > 0)
             GROUP BY key, removals_after, award->'position'
         ) AS place"#,
        operator,
        since,
        but.as_str()
    )
    .fetch_one(conn)
    .await?;
    Ok(Money::from_cents(cash))
}

/// What the store has of a tournament beside its manifest.
#[derive(Debug)]
pub(crate) struct Locked {
    /// Whether the board is closed.
    pub(crate) closed: bool,
    pub(crate) settled: bool,
    /// The reservation of the cash.
    pub(crate) reservation: Option<Uuid>,
    pub(crate) proof: Proof,
}

/// Locks a tournament against the settlement's changes.
#[statement]
pub(crate) async fn lock_tournament(
    conn: &mut PgConnection,
    id: TournamentId,
) -> sqlx::Result<Option<Locked>> {
    let row = sqlx::query!(
        r#"SELECT closed_at IS NOT NULL AS "closed!", settled_at IS NOT NULL AS "settled!",
             reservation_id, rules_sha256, score_key
         FROM tournament WHERE id = $1 FOR UPDATE"#,
        id.uuid()
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|row| Locked {
        closed: row.closed,
        settled: row.settled,
        reservation: row.reservation_id,
        proof: Proof { rules_sha256: row.rules_sha256, score_key: row.score_key },
    }))
}

/// Creates or changes a tournament with its awards, the reservation of its cash and how its scores are
/// proven. The secret is stored only for a new tournament.
#[statement]
pub(crate) async fn put(
    conn: &mut PgConnection,
    tournament: &TournamentManifest,
    secret: &[u8],
    reservation: Option<Uuid>,
    proof: &Proof,
) -> sqlx::Result<()> {
    let id = tournament_id(&tournament.key);
    let (cash, first_award) = total_cash(&tournament.awards);
    sqlx::query!(
        "INSERT INTO tournament (id, key, name, description, game_id, game_key, level, starts,
             ends, rounds, runs_per_round, secret, fame_title, fame_description, cash_cents,
             first_award, description_sw, fame_title_sw, fame_description_sw, first_award_sw,
             reservation_id, review_winners, rules_sha256, score_key)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18,
             $19, $20, $21, $22, $23, $24)
         ON CONFLICT (id) DO UPDATE
         SET name = EXCLUDED.name, description = EXCLUDED.description,
             game_id = EXCLUDED.game_id, game_key = EXCLUDED.game_key, level = EXCLUDED.level,
             starts = EXCLUDED.starts, ends = EXCLUDED.ends, rounds = EXCLUDED.rounds,
             runs_per_round = EXCLUDED.runs_per_round, fame_title = EXCLUDED.fame_title,
             fame_description = EXCLUDED.fame_description, cash_cents = EXCLUDED.cash_cents,
             first_award = EXCLUDED.first_award, description_sw = EXCLUDED.description_sw,
             fame_title_sw = EXCLUDED.fame_title_sw,
             fame_description_sw = EXCLUDED.fame_description_sw,
             first_award_sw = EXCLUDED.first_award_sw,
             reservation_id = EXCLUDED.reservation_id,
             review_winners = EXCLUDED.review_winners,
             rules_sha256 = EXCLUDED.rules_sha256, score_key = EXCLUDED.score_key",
        id.uuid(),
        tournament.key.as_str(),
        tournament.name,
        tournament.description.en,
        game_id(&tournament.game).uuid(),
        tournament.game.as_str(),
        tournament.level,
        tournament.starts,
        tournament.ends,
        tournament.rounds,
        tournament.runs_per_round,
        secret,
        tournament.fame_title.en,
        tournament.fame_description.en,
        cash.map(Money::cents),
        first_award.en,
        tournament.description.sw,
        tournament.fame_title.sw,
        tournament.fame_description.sw,
        first_award.sw,
        reservation,
        tournament.review_winners,
        proof.rules_sha256,
        proof.score_key
    )
    .execute(&mut *conn)
    .await?;
    award::replace(conn, id, &tournament.awards).await
}

/// Waits for the scores that are being written, and blocks others until the end of the transaction.
/// Only for removals, which are rare.
#[statement]
pub(crate) async fn lock_standings(conn: &mut PgConnection) -> sqlx::Result<()> {
    sqlx::query!("LOCK TABLE standing IN SHARE ROW EXCLUSIVE MODE").execute(conn).await?;
    Ok(())
}

/// Removes a tournament with its board and its awards.
#[statement]
pub(crate) async fn delete(conn: &mut PgConnection, id: TournamentId) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM tournament WHERE id = $1", id.uuid()).execute(conn).await?;
    Ok(())
}

/// At most `limit` manifests of tournaments after a key, ordered by key; or the one with this id.
#[statement]
pub(crate) async fn manifests(
    conn: &mut PgConnection,
    id: Option<TournamentId>,
    after_key: &str,
    limit: i64,
) -> sqlx::Result<Vec<TournamentManifest>> {
    let rows = sqlx::query!(
        r#"SELECT id, key, name, description, description_sw, game_key, level, starts, ends, rounds,
             runs_per_round, fame_title, fame_title_sw, fame_description, fame_description_sw,
             review_winners
         FROM tournament WHERE id = COALESCE($1, id) AND key COLLATE "C" > $2
         ORDER BY key COLLATE "C" LIMIT $3"#,
        id.map(TournamentId::uuid),
        after_key,
        limit
    )
    .fetch_all(&mut *conn)
    .await?;
    let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
    let mut awards = award::list(conn, &ids).await?;
    let mut manifests = Vec::with_capacity(rows.len());
    for row in rows {
        let own = TournamentId::from(row.id);
        let own: Vec<Award> =
            awards.extract_if(.., |(id, _)| *id == own).map(|(_, award)| award).collect();
        manifests.push(TournamentManifest {
            key: decoded(Key::parse(&row.key))?,
            name: row.name,
            description: LocalText { en: row.description, sw: row.description_sw },
            game: decoded(Key::parse(&row.game_key))?,
            level: row.level,
            starts: row.starts,
            ends: row.ends,
            rounds: row.rounds,
            runs_per_round: row.runs_per_round,
            awards: own,
            review_winners: row.review_winners,
            fame_title: LocalText { en: row.fame_title, sw: row.fame_title_sw },
            fame_description: LocalText { en: row.fame_description, sw: row.fame_description_sw },
        });
    }
    Ok(manifests)
}
