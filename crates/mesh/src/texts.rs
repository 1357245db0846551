//! The texts that players read: one catalogue for the gateway and all services in each language, by
//! keys. A key is a REASON, a field's fault, a state of a payment, a kind of notification or a
//! reply.

use std::{borrow::Cow, collections::HashMap, sync::LazyLock};

use types::Text;

use crate::language::Language;

type Texts = HashMap<&'static str, &'static str>;

// The tests below parse the files, so a build that ships can.
fn parse(file: &'static str) -> Texts {
    serde_json::from_str(file).unwrap_or_default()
}

/// The texts in English. Words in braces are parameters.
static ENGLISH: LazyLock<Texts> = LazyLock::new(|| parse(include_str!("../texts/en.json")));
static SWAHILI: LazyLock<Texts> = LazyLock::new(|| parse(include_str!("../texts/sw.json")));

/// The text with this key, with its parameters put in; `None` when the catalogue has no such
/// key.
pub fn text<'a>(
    key: &str,
    params: impl IntoIterator<Item = (&'a str, &'a str)>,
    language: Language,
) -> Option<Cow<'static, str>> {
    let catalogue = match language {
        Language::English => &ENGLISH,
        Language::Swahili => &SWAHILI,
    };
    let template = *catalogue.get(key)?;
    if !template.contains('{') {
        return Some(Cow::Borrowed(template));
    }
    Some(Cow::Owned(fill(template, params, language)))
}

/// A text in a language; `None` when the catalogue has no such key.
pub fn render(text: &Text, language: Language) -> Option<Cow<'static, str>> {
    self::text(&text.key, pairs(&text.params), language)
}

/// The names and values of parameters.
pub(crate) fn pairs<'a>(
    params: &'a [(Cow<'static, str>, String)],
) -> impl Iterator<Item = (&'a str, &'a str)> {
    params.iter().map(|(name, value)| (&**name, &**value))
}

/// Fills in the values in one pass, so that a value in which a player wrote `{room}` stays as it
/// is. A value that operators wrote in both languages has a second one for Swahili: `award_sw`
/// beside `award`.
fn fill<'a>(
    template: &str,
    values: impl IntoIterator<Item = (&'a str, &'a str)>,
    language: Language,
) -> String {
    let values: Vec<_> = values.into_iter().collect();
    let mut pieces = template.split('{');
    let length = values.iter().map(|(_, value)| value.len()).sum::<usize>();
    let mut text = String::with_capacity(template.len() + length);
    text.push_str(pieces.next().unwrap_or_default());
    for piece in pieces {
        let filled = piece.split_once('}').and_then(|(name, literal)| {
            let value_of = |name: &str| {
                values.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
            };
            let swahili = match language {
                Language::English => None,
                Language::Swahili => value_of(&format!("{name}_sw")),
            };
            Some([swahili.or_else(|| value_of(name))?, literal])
        });
        match filled {
            Some(parts) => text.extend(parts),
            None => text.extend(["{", piece]),
        }
    }
    text
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
        let text = fill("{from}: {excerpt} {other}", values, Language::English);
        assert_eq!(text, "{excerpt}: {from} {room {other}");
    }

    #[test]
    fn a_value_in_both_languages_is_put_in_in_the_texts_own() {
        let values = [("award", "First seed"), ("award_sw", "Mbegu ya kwanza"), ("rank", "1")];
        let filled =
            |values: &[_], language| fill("{rank}: {award}", values.iter().copied(), language);
        assert_eq!(filled(&values, Language::English), "1: First seed");
        assert_eq!(filled(&values, Language::Swahili), "1: Mbegu ya kwanza");
        assert_eq!(filled(&values[..1], Language::Swahili), "{rank}: First seed");
    }

    #[test]
    fn each_catalogue_is_readable_sorted_and_without_duplicates() {
        for source in [include_str!("../texts/en.json"), include_str!("../texts/sw.json")] {
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
        for (name, english) in ENGLISH.iter() {
            assert_eq!(parameters(english), parameters(SWAHILI[name]), "{name}");
        }
    }

    #[test]
    fn no_source_has_a_sentence_for_players() {
        // The help of the options and the document of the API are for developers.
        const OTHERS: [&str; 3] = ["clap::", "utoipa::openapi", "{{noun}}"];
        let sources = sources();
        let for_players =
            sources.iter().filter(|source| !OTHERS.iter().any(|o| source.contains(o)));
        let found: Vec<_> = for_players.flat_map(|source| sentences(source)).collect();
        assert!(found.is_empty(), "these belong in texts/en.json: {found:#?}");
        let sentence = r#"refused("name", "Please enter your name.")"#;
        assert_eq!(sentences(sentence), ["Please enter your name."]);
    }

    #[test]
    fn parameters_are_put_in() {
        let range = Text::new("AMOUNT_OUT_OF_RANGE").with("least", "KES 1.00").with("most", 9);
        assert_eq!(
            render(&range, Language::English).as_deref(),
            Some("Please enter an amount from KES 1.00 to 9.")
        );
        assert_eq!(render(&Text::new("NO_SUCH_REASON"), Language::English), None);
    }

    #[test]
    fn each_key_in_the_sources_has_a_text_and_each_text_a_key() {
        let sources = sources();
        let used = sources.iter().flat_map(|source| reasons(source).chain(keys(source)));
        let used: BTreeSet<&str> = used.collect();
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
            ("LABEL", "VALUE")
        "#;
        assert_eq!(reasons(source).collect::<Vec<_>>(), ["FIRST_ONE", "SECOND", "THIRD"]);
        let source = r#"Text::new("FOURTH").with("max", 2); invalid_field("name", "FIFTH")"#;
        assert_eq!(keys(source).collect::<Vec<_>>(), ["FOURTH", "FIFTH"]);
    }

    /// The REASONs that a source takes from the catalogue: a literal after a gRPC code, as
    /// in `(Code::NotFound, "USER_NOT_FOUND")`.
    fn reasons(source: &str) -> impl Iterator<Item = &str> {
        let codes: Vec<_> = (0..17).map(|code| format!("{:?}", Code::from_i32(code))).collect();
        source.match_indices('"').filter_map(move |(at, _)| {
            let before = source[..at].trim_end().strip_suffix(',')?;
            let rest = codes.iter().find_map(|code| before.strip_suffix(code.as_str()))?;
            let rest = rest
                .trim_end_matches(|char: char| char.is_ascii_alphanumeric() || char == ':')
                .trim_end();
            let reason = source[at + 1..].split('"').next()?;
            (rest.ends_with('(') && is_key(reason)).then_some(reason)
        })
    }

    /// The keys in calls that choose a text.
    fn keys(source: &str) -> impl Iterator<Item = &str> {
        const CALLS: [&str; 4] = ["Text::new(", "invalid(", "invalid_field(", "wrong_type("];
        let calls = CALLS.iter().flat_map(|call| source.split(call).skip(1));
        calls.filter_map(|rest| {
            let arguments = rest.split(')').next()?;
            arguments.split('"').skip(1).step_by(2).last().filter(|key| is_key(key))
        })
    }

    fn is_key(text: &str) -> bool {
        !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_')
    }

    /// The names of a text's parameters.
    fn parameters(text: &str) -> BTreeSet<&str> {
        text.split('{').skip(1).filter_map(|rest| rest.split('}').next()).collect()
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
