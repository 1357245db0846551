//! Table `award`.

use mesh::db::statement;
use sqlx::{PgConnection, types::Uuid};
use time::OffsetDateTime;
use types::{LocalText, Money};

use super::decoded;
use crate::domain::{Award, GivenAward, TournamentId};

/// The awards of the tournaments: by position and then by tier, gold first.
#[statement]
pub(crate) async fn list(
    conn: &mut PgConnection,
    ids: &[Uuid],
) -> sqlx::Result<Vec<(TournamentId, Award)>> {
    let rows = sqlx::query!(
        "SELECT tournament_id, position, tier, name, name_sw, cash_cents FROM award
         WHERE tournament_id = ANY($1)",
        ids
    )
    .fetch_all(conn)
    .await?;
    let awards: sqlx::Result<Vec<_>> = rows
        .into_iter()
        .map(|row| {
            let award = Award {
                position: row.position,
                tier: decoded(row.tier.parse())?,
                name: LocalText { en: row.name, sw: row.name_sw },
                cash: row.cash_cents.map(Money::from_cents),
            };
            Ok((TournamentId::from(row.tournament_id), award))
        })
        .collect();
    let mut awards = awards?;
    awards.sort_by_key(|(id, award)| (*id, award.position, std::cmp::Reverse(award.tier)));
    Ok(awards)
}

/// Replaces the awards of a tournament.
#[statement]
pub(crate) async fn replace(
    conn: &mut PgConnection,
    id: TournamentId,
    awards: &[Award],
) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM award WHERE tournament_id = $1", id.uuid())
        .execute(&mut *conn)
        .await?;
    let positions: Vec<i32> = awards.iter().map(|award| award.position).collect();
    let tiers: Vec<String> = awards.iter().map(|award| award.tier.to_string()).collect();
    let names: Vec<String> = awards.iter().map(|award| award.name.en.clone()).collect();
    let names_sw: Vec<String> = awards.iter().map(|award| award.name.sw.clone()).collect();
    let cash: Vec<Option<i64>> = awards.iter().map(|award| award.cash.map(Money::cents)).collect();
    sqlx::query!(
        "INSERT INTO award (tournament_id, position, tier, name, name_sw, cash_cents)
         SELECT $1, * FROM unnest($2::integer[], $3::text[], $4::text[], $5::text[], $6::bigint[])",
        id.uuid(),
        &positions,
        &tiers,
        &names,
        &names_sw,
        &cash as &[Option<i64>]
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// The awards that were given in a tournament since its settlement. Older ones are of a tournament
/// that was removed and applied again.
#[statement]
pub(crate) async fn given_since(
    conn: &mut PgConnection,
    id: TournamentId,
    settled_at: OffsetDateTime,
) -> sqlx::Result<Vec<GivenAward>> {
    let rows = sqlx::query!(
        r#"SELECT player_id, rank, cash_cents,
             coalesce(cause = 'LATE', given_at > $2) AS "is_late!",
             coalesce(state = 'REFUSED', false) AS "is_refused!"
         FROM award_given
         WHERE tournament_id = $1 AND given_at >= $2"#,
        id.uuid(),
        settled_at
    )
    .fetch_all(conn)
    .await?;
    let rows = rows.into_iter();
    Ok(rows
        .map(|row| GivenAward {
            player: row.player_id.into(),
            rank: row.rank.unsigned_abs(),
            cash: row.cash_cents.map(Money::from_cents),
            is_late: row.is_late,
            is_refused: row.is_refused,
        })
        .collect())
}
