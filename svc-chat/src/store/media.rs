//! The files that messages use: tables `message`, `message_report` and `hidden_message`.

use mesh::db::statement;
use sqlx::PgConnection;

/// Those of these URLs that neither a message nor evidence uses. A removed message uses no file; a
/// message or evidence of type TEXT may use one, because the specification sends a text file as a
/// text.
#[statement]
pub(crate) async fn find_unused(
    conn: &mut PgConnection,
    urls: &[String],
) -> sqlx::Result<Vec<String>> {
    sqlx::query_scalar!(
        r#"SELECT url AS "url!" FROM unnest($1::text[]) AS url
           WHERE NOT EXISTS (SELECT FROM message
                   WHERE content = url AND chat_type <> 'TEXT' AND removal IS NULL)
               AND NOT EXISTS (SELECT FROM message
                   WHERE content = url AND chat_type = 'TEXT' AND content LIKE '/media/chat/%'
                       AND length(content) <= 200 AND removal IS NULL)
               AND NOT EXISTS (SELECT FROM message_report
                   WHERE content = url AND chat_type <> 'TEXT')
               AND NOT EXISTS (SELECT FROM message_report
                   WHERE content = url AND chat_type = 'TEXT' AND content LIKE '/media/chat/%')
               AND NOT EXISTS (SELECT FROM hidden_message
                   WHERE content = url AND chat_type <> 'TEXT')
               AND NOT EXISTS (SELECT FROM hidden_message
                   WHERE content = url AND chat_type = 'TEXT' AND content LIKE '/media/chat/%')"#,
        urls
    )
    .fetch_all(conn)
    .await
}
