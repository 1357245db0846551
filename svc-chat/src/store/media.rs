//! The files that messages have: table `message`.

use mesh::db::statement;
use sqlx::PgConnection;

/// Those of these URLs that no message has. A message that was removed has none.
#[statement]
pub(crate) async fn find_unused(
    conn: &mut PgConnection,
    urls: &[String],
) -> sqlx::Result<Vec<String>> {
    sqlx::query_scalar!(
        r#"SELECT url AS "url!" FROM unnest($1::text[]) AS url
           WHERE NOT EXISTS (SELECT FROM message
                             WHERE content = url AND chat_type <> 'TEXT' AND removal IS NULL)"#,
        urls
    )
    .fetch_all(conn)
    .await
}
