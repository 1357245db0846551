//! Writes a player's copy as a file, part by part.

use anyhow::Context as _;
use askama::Template;
use indexmap::IndexMap;
use mesh::grpc::player_data::PlayerRecord;
use serde_json::Value;
use time::{
    OffsetDateTime, UtcOffset,
    format_description::{StaticFormatDescription, well_known::Rfc3339},
    macros::{format_description, offset},
};
use types::PlayerId;

use crate::domain::{CopyFormat, DataCopy, Source};

/// Kenya's time, in which the page shows times.
const NAIROBI: UtcOffset = offset!(+3);
/// How the page writes a time: `27 Nov 2026, 14:05`.
const TIME: StaticFormatDescription =
    format_description!("[day padding:none] [month repr:short] [year], [hour]:[minute]");

/// A copy that is being written. Its parts in order are the file.
pub(crate) struct Document {
    format: CopyFormat,
    player: PlayerId,
    copy: DataCopy,
    /// The section that the last part was in.
    section: Option<(Source, String)>,
}

/// The head of the page.
#[derive(Template)]
#[template(path = "data_copy.html")]
struct Page<'a> {
    player: &'a str,
    completed_at: &'a str,
}

/// Records of one section on the page.
#[derive(Template)]
#[template(path = "data_copy_records.html")]
struct Records {
    /// Closes the table of the section before.
    closes: bool,
    /// Opens a section with this title and these columns.
    opens: Option<(String, Vec<String>)>,
    rows: Vec<Vec<String>>,
}

impl Document {
    pub(crate) fn new(format: CopyFormat, player: PlayerId, copy: DataCopy) -> Self {
        Self { format, player, copy, section: None }
    }

    /// The part before all records.
    pub(crate) fn begin(&self) -> anyhow::Result<String> {
        let completed_at = self.copy.completed_at.unwrap_or(self.copy.requested_at);
        let player = self.player.to_string();
        match self.format {
            CopyFormat::Json => {
                let (player, at) =
                    (Value::from(player), Value::from(completed_at.format(&Rfc3339)?));
                Ok(format!(r#"{{"playerId":{player},"completedAt":{at},"sections":["#))
            }
            CopyFormat::Html => {
                let completed_at = written(completed_at)?;
                Ok(Page { player: &player, completed_at: &completed_at }.render()?)
            }
        }
    }

    /// The part with records of a service.
    pub(crate) fn records(
        &mut self,
        source: Source,
        records: Vec<PlayerRecord>,
    ) -> anyhow::Result<String> {
        let mut part = String::new();
        for of_section in records.chunk_by(|one, next| one.section == next.section) {
            let [first, ..] = of_section else { continue };
            let section = (source, first.section.clone());
            let closes = self.section.is_some() && self.section.as_ref() != Some(&section);
            let opens = self.section.as_ref() != Some(&section);
            part += &match self.format {
                CopyFormat::Json => json(&section, of_section, closes, opens),
                CopyFormat::Html => html(&section.1, of_section, closes, opens)?,
            };
            self.section = Some(section);
        }
        Ok(part)
    }

    /// The part after all records.
    pub(crate) fn end(&self) -> String {
        let closes = self.section.is_some();
        match self.format {
            CopyFormat::Json => if closes { "]}]}" } else { "]}" }.to_owned(),
            CopyFormat::Html => if closes { "</table></div>" } else { "" }.to_owned(),
        }
    }
}

/// Records of a section as JSON: they are JSON objects already.
fn json(
    (source, section): &(Source, String),
    records: &[PlayerRecord],
    closes: bool,
    opens: bool,
) -> String {
    let (service, name) = (Value::from(source.name()), Value::from(section.as_str()));
    let close = if closes { "]}," } else { "" };
    let open = if opens {
        format!(r#"{{"service":{service},"name":{name},"records":["#)
    } else {
        ",".to_owned()
    };
    let records: Vec<&str> = records.iter().map(|record| record.record.as_str()).collect();
    format!("{close}{open}{}", records.join(","))
}

/// Records of a section as rows of a table.
fn html(
    section: &str,
    records: &[PlayerRecord],
    closes: bool,
    opens: bool,
) -> anyhow::Result<String> {
    let records = records.iter().map(|record| serde_json::from_str(&record.record));
    let records: Vec<IndexMap<String, Value>> =
        records.collect::<Result<_, _>>().context("a record that is no JSON object")?;
    let columns = || records.iter().take(1).flat_map(IndexMap::keys).map(|name| words(name));
    let part = Records {
        closes,
        opens: opens.then(|| (words(section), columns().collect())),
        rows: records.iter().map(|record| record.values().map(shown).collect()).collect(),
    };
    Ok(part.render()?)
}

/// A name of the database as words: `created_at` is `Created at`.
fn words(name: &str) -> String {
    let words = name.replace('_', " ");
    let mut letters = words.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// A value as the page shows it.
fn shown(value: &Value) -> String {
    match value {
        Value::Null => "–".to_owned(),
        Value::String(text) => match OffsetDateTime::parse(text, &Rfc3339) {
            Ok(at) => written(at).unwrap_or_else(|_| text.clone()),
            Err(_) => text.clone(),
        },
        other => other.to_string(),
    }
}

fn written(at: OffsetDateTime) -> anyhow::Result<String> {
    Ok(at.to_offset(NAIROBI).format(TIME)?)
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    fn record(section: &str, record: &str) -> PlayerRecord {
        PlayerRecord { section: section.to_owned(), record: record.to_owned() }
    }

    /// Writes two parts of records, the second of which goes on with a section of the first.
    fn file(format: CopyFormat) -> String {
        let at = datetime!(2026-11-27 21:30 UTC);
        let copy = DataCopy { completed_at: Some(at), ..DataCopy::requested(at) };
        let mut document = Document::new(format, PlayerId::from(uuid::Uuid::nil()), copy);
        let first = vec![
            record("rooms", r#"{"room":"Lobby","joined_at":"2026-11-27T21:30:00+00:00"}"#),
            record("messages", r#"{"room":"Lobby","content":"<b>jambo</b> & \"karibu\""}"#),
        ];
        let second = vec![record("messages", r#"{"room":null,"content":"kwaheri"}"#)];
        [
            document.begin().unwrap(),
            document.records(Source::Chat, first).unwrap(),
            document.records(Source::Chat, second).unwrap(),
            document.end(),
        ]
        .concat()
    }

    #[test]
    fn the_json_file_has_the_records_of_each_section() {
        let file: Value = serde_json::from_str(&file(CopyFormat::Json)).unwrap();
        let sections = file["sections"].as_array().unwrap();
        let names: Vec<&Value> = sections.iter().map(|section| &section["name"]).collect();
        assert_eq!(names, ["rooms", "messages"]);
        assert_eq!(sections[1]["service"], "svc-chat");
        assert_eq!(sections[1]["records"][0]["content"], "<b>jambo</b> & \"karibu\"");
        assert_eq!(sections[1]["records"][1]["content"], "kwaheri");
    }

    #[test]
    fn a_file_without_records_is_whole() {
        let copy = DataCopy::requested(OffsetDateTime::UNIX_EPOCH);
        let document = Document::new(CopyFormat::Json, uuid::Uuid::nil().into(), copy);
        let file = document.begin().unwrap() + &document.end();
        assert_eq!(
            serde_json::from_str::<Value>(&file).unwrap()["sections"],
            serde_json::json!([])
        );
    }

    #[test]
    fn the_page_shows_times_of_nairobi_and_escapes_what_players_wrote() {
        let page = file(CopyFormat::Html);
        assert!(page.contains("<h2>Rooms</h2>"), "{page}");
        assert!(page.contains("<th>Joined at</th>"));
        assert!(page.contains("<td>28 Nov 2026, 00:30</td>"));
        assert!(!page.contains("<b>jambo"));
        assert_eq!(page.matches("<table>").count(), 2);
        assert_eq!(page.matches("</table>").count(), 2);
        assert_eq!(page.matches("<tr>").count(), 2 + 3);
    }
}
