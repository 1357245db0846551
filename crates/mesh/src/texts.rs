//! What players read: one catalogue for the gateway and all services, by REASON or by the
//! name of a reply, in each language; and the sentences that have neither.

use std::{borrow::Cow, collections::HashMap, sync::LazyLock};

use crate::language::Language;

type Texts = HashMap<&'static str, &'static str>;

// The tests below parse the files, so a build that ships can.
fn parse(file: &'static str) -> Texts {
    serde_json::from_str(file).unwrap_or_default()
}

/// The texts in English. Words in braces are parameters of the fault.
static ENGLISH: LazyLock<Texts> = LazyLock::new(|| parse(include_str!("../texts/en.json")));
static SWAHILI: LazyLock<Texts> = LazyLock::new(|| parse(include_str!("../texts/sw.json")));

/// Swahili for the sentences that the sources have in English: of fields, and of payments.
static SENTENCES: LazyLock<Texts> =
    LazyLock::new(|| parse(include_str!("../texts/sentences.sw.json")));

/// The text for a REASON or a reply, with its parameters put in; `None` when the catalogue
/// has no such name.
pub fn text(
    name: &str,
    params: &[(Cow<'static, str>, String)],
    language: Language,
) -> Option<Cow<'static, str>> {
    filled(name, params.iter().map(|(name, value)| (&**name, &**value)), language)
}

/// The same, with parameters that are kept in some other way.
pub fn filled<'a>(
    name: &str,
    params: impl ExactSizeIterator<Item = (&'a str, &'a str)>,
    language: Language,
) -> Option<Cow<'static, str>> {
    let catalogue = match language {
        Language::English => &ENGLISH,
        Language::Swahili => &SWAHILI,
    };
    let template = *catalogue.get(name)?;
    if params.len() == 0 {
        return Some(Cow::Borrowed(template));
    }
    Some(Cow::Owned(fill(template, params)))
}

/// A sentence of the sources in another language; unchanged when no catalogue has it.
pub fn sentence(english: &str, language: Language) -> Cow<'_, str> {
    if language == Language::English {
        return Cow::Borrowed(english);
    }
    if let Some(translation) = SENTENCES.get(english) {
        return Cow::Borrowed(translation);
    }
    // A notification is made from its name. Its texts are no sentences of the sources, and
    // `{from} in {room}: {excerpt}` would fit too many of them.
    let reasons = ENGLISH.iter().filter(|(name, _)| !name.starts_with("NOTIFICATION_"));
    let reasons = reasons.filter_map(|(name, text)| Some((*text, *SWAHILI.get(name)?)));
    let templates = SENTENCES.iter().map(|(text, translation)| (*text, *translation));
    let translation = reasons.chain(templates).find_map(|(template, translation)| {
        let values = values(template, english)?;
        Some(fill(translation, values.into_iter()))
    });
    translation.map_or(Cow::Borrowed(english), Cow::Owned)
}

/// In one pass, so that a value in which a player wrote `{room}` stays as it is.
fn fill<'a>(template: &str, values: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let values: Vec<_> = values.collect();
    let mut pieces = template.split('{');
    let length = values.iter().map(|(_, value)| value.len()).sum::<usize>();
    let mut text = String::with_capacity(template.len() + length);
    text.push_str(pieces.next().unwrap_or_default());
    for piece in pieces {
        let filled = piece.split_once('}').and_then(|(name, literal)| {
            let (_, value) = values.iter().find(|(known, _)| *known == name)?;
            Some([*value, literal])
        });
        match filled {
            Some(parts) => text.extend(parts),
            None => text.extend(["{", piece]),
        }
    }
    text
}

/// The values of a template's parameters in a text that was made from it.
fn values<'a>(template: &'a str, text: &'a str) -> Option<Vec<(&'a str, &'a str)>> {
    let mut pieces = template.split('{');
    let mut rest = text.strip_prefix(pieces.next()?)?;
    let mut values = Vec::new();
    for piece in pieces {
        let (name, literal) = piece.split_once('}')?;
        let at = if literal.is_empty() { rest.len() } else { rest.find(literal)? };
        values.push((name, &rest[..at]));
        rest = &rest[at + literal.len()..];
    }
    rest.is_empty().then_some(values)
}

#[cfg(test)]
mod tests {
    use std::{
        collections::BTreeSet,
        fs,
        path::{Path, PathBuf},
    };

    use tonic::Code;

    use super::*;

    #[test]
    fn a_value_is_not_read_as_a_template() {
        let values = [("from", "{excerpt}"), ("excerpt", "{from} {room")];
        let text = fill("{from}: {excerpt} {other}", values.into_iter());
        assert_eq!(text, "{excerpt}: {from} {room {other}");
    }

    #[test]
    fn each_catalogue_is_readable_sorted_and_without_duplicates() {
        for source in [
            include_str!("../texts/en.json"),
            include_str!("../texts/sw.json"),
            include_str!("../texts/sentences.sw.json"),
        ] {
            let parsed: HashMap<String, String> = serde_json::from_str(source).unwrap();
            let names: Vec<&str> = source
                .lines()
                .filter_map(|line| line.trim().strip_prefix('"')?.split('"').next())
                .collect();
            assert_eq!(names.len(), parsed.len());
            assert!(names.is_sorted(), "sort the catalogue by its names");
        }
    }

    #[test]
    fn the_catalogues_have_the_same_names_and_parameters() {
        let names = |texts: &Texts| texts.keys().copied().collect::<BTreeSet<_>>();
        assert_eq!(names(&ENGLISH), names(&SWAHILI));
        let pairs = ENGLISH.iter().map(|(name, text)| (*text, SWAHILI[name]));
        for (english, swahili) in pairs.chain(SENTENCES.iter().map(|(a, b)| (*a, *b))) {
            assert_eq!(parameters(english), parameters(swahili), "{swahili}");
        }
    }

    #[test]
    fn each_sentence_for_players_in_the_sources_has_a_translation_and_each_is_used() {
        let sources = sources();
        // Mails and SMS are in English; the help of the options and the document of the API
        // are for developers.
        let for_players = sources.iter().filter(|source| {
            !["EmailTemplate", "clap::", "utoipa::openapi", "{{noun}}"]
                .iter()
                .any(|other| source.contains(other))
        });
        let used: BTreeSet<_> = for_players.flat_map(|source| sentences(source)).collect();
        assert!(used.len() > 50, "the scan finds the texts of fields: {used:?}");
        let without: Vec<_> =
            used.iter().filter(|text| sentence(text, Language::Swahili) == text.as_str()).collect();
        assert!(without.is_empty(), "texts/sentences.sw.json has no translation of {without:#?}");
        let mut literals = sources.iter().flat_map(|source| literals(source));
        let all: BTreeSet<_> = literals.by_ref().map(|text| shape(&text)).collect();
        let unused: Vec<_> = SENTENCES.keys().filter(|text| !all.contains(&shape(text))).collect();
        assert!(unused.is_empty(), "no source says {unused:#?}");
    }

    #[test]
    fn a_sentence_is_translated_with_its_values() {
        let text = |english| sentence(english, Language::Swahili).into_owned();
        assert_eq!(
            text("Enter your M-Pesa PIN on 0712 … 678."),
            "Weka M-Pesa PIN yako kwenye 0712 … 678."
        );
        assert_eq!(text("Please enter an amount."), "Tafadhali weka kiasi.");
        assert_eq!(text("Wrong email or password."), "Barua pepe au nenosiri si sahihi.");
        assert_eq!(text("No source has this."), "No source has this.");
        assert_eq!(
            sentence("Please enter an amount.", Language::English),
            "Please enter an amount."
        );
    }

    #[test]
    fn parameters_are_put_in() {
        let params =
            [("least".into(), "KES 1.00".to_owned()), ("most".into(), "KES 9.00".to_owned())];
        assert_eq!(
            text("AMOUNT_OUT_OF_RANGE", &params, Language::English).as_deref(),
            Some("Please enter an amount from KES 1.00 to KES 9.00.")
        );
        assert_eq!(text("NO_SUCH_REASON", &[], Language::English), None);
    }

    #[test]
    fn each_reason_in_the_sources_has_a_text_and_each_text_a_reason() {
        let sources = sources();
        let used: BTreeSet<&str> = sources.iter().flat_map(|source| reasons(source)).collect();
        assert!(used.len() > 30, "the scan finds the tables of refusals: {used:?}");
        let without: Vec<_> =
            used.iter().filter(|reason| !ENGLISH.contains_key(**reason)).collect();
        assert!(without.is_empty(), "texts/en.json has no text for {without:?}");

        let is_named = |reason: &str| {
            let literal = format!("\"{reason}\"");
            sources.iter().any(|source| source.contains(&literal))
        };
        let unused: Vec<_> = ENGLISH.keys().filter(|reason| !is_named(reason)).collect();
        assert!(unused.is_empty(), "texts/en.json has texts that no source names: {unused:?}");
    }

    #[test]
    fn the_scan_finds_a_reason_by_the_code_before_it() {
        let source = r#"
            Refused::A => (Code::NotFound, "FIRST_ONE"),
            Refused::B => Self::new(InvalidArgument, "SECOND"),
            Fault::new(
                Code::Unavailable,
                "THIRD",
            )
            Fault::with_text(Code::Aborted, "WITH_A_TEXT", "Its own.")
            ("LABEL", "VALUE")
        "#;
        assert_eq!(reasons(source).collect::<Vec<_>>(), ["FIRST_ONE", "SECOND", "THIRD"]);
    }

    /// The REASONs that a source takes from the catalogue: a literal after a gRPC code, as
    /// in `(Code::NotFound, "USER_NOT_FOUND")`. `with_text` has a text of its own.
    fn reasons(source: &str) -> impl Iterator<Item = &str> {
        let codes: Vec<_> = (0..17).map(|code| format!("{:?}", Code::from_i32(code))).collect();
        source.match_indices('"').filter_map(move |(at, _)| {
            let before = source[..at].trim_end().strip_suffix(',')?;
            let rest = codes.iter().find_map(|code| before.strip_suffix(code.as_str()))?;
            let rest = rest
                .trim_end_matches(|char: char| char.is_ascii_alphanumeric() || char == ':')
                .trim_end();
            let reason = source[at + 1..].split('"').next()?;
            let is_reason = !reason.is_empty()
                && reason.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
            (rest.ends_with('(') && !rest.ends_with("with_text(") && is_reason).then_some(reason)
        })
    }

    /// The names of a text's parameters.
    fn parameters(text: &str) -> BTreeSet<&str> {
        text.split('{').skip(1).filter_map(|rest| rest.split('}').next()).collect()
    }

    /// A text with its parameters left out, because `format!` names them in its own way.
    fn shape(text: &str) -> String {
        let mut pieces = text.split('{');
        let first = pieces.next().unwrap_or_default().to_owned();
        pieces.fold(first, |shape, piece| {
            shape + "{}" + piece.split_once('}').map_or("", |(_, literal)| literal)
        })
    }

    /// The string literals of a source, without the comments.
    fn literals(source: &str) -> Vec<String> {
        let code: Vec<_> = source
            .lines()
            .filter(|line| !line.trim_start().starts_with("//") && !line.contains("doc = "))
            .collect();
        let code = code.join("\n").replace("\\\"", "'");
        let inside = code.split('"').skip(1).step_by(2);
        inside.map(|text| text.split("\\\n").map(str::trim_start).collect()).collect()
    }

    /// The literals that are a sentence for players. The names of fields' placeholders and of
    /// an RPC's own limits are no such sentences.
    fn sentences(source: &str) -> Vec<String> {
        const OTHERS: [&str; 2] = ["Enter number.", "Not set. Click to set."];
        let is_sentence = |text: &String| {
            text.starts_with(|char: char| char.is_ascii_uppercase())
                && text.contains(' ')
                && (text.ends_with(['.', '!', '?']) || text.starts_with("Please "))
                && !OTHERS.contains(&text.as_str())
        };
        // Descriptions of the API.
        let texts: Vec<_> = source.lines().filter(|line| !line.contains(".description(")).collect();
        literals(&texts.join("\n")).into_iter().filter(is_sentence).collect()
    }

    /// The Rust sources of the workspace, without their tests.
    fn sources() -> Vec<String> {
        let root = Path::new("../..");
        let members = ["", "crates"].map(|folder| root.join(folder));
        let members = members.iter().flat_map(|folder| entries(folder));
        let mut folders: Vec<_> =
            members.map(|member| member.join("src")).filter(|src| src.is_dir()).collect();
        let mut sources = Vec::new();
        while let Some(folder) = folders.pop() {
            for path in entries(&folder) {
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "rs") {
                    let source = fs::read_to_string(path).unwrap();
                    let code = source.split("#[cfg(test)]").next().unwrap_or_default();
                    sources.push(code.to_owned());
                }
            }
        }
        sources
    }

    fn entries(folder: &Path) -> Vec<PathBuf> {
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
    }
}
