//! What players read, by REASON: one catalogue for the gateway and all services.

use std::{borrow::Cow, collections::HashMap, sync::LazyLock};

/// The texts in English. Words in braces are parameters of the fault.
static ENGLISH: LazyLock<HashMap<&'static str, &'static str>> = LazyLock::new(|| {
    // The test below parses it, so a build that ships can.
    serde_json::from_str(include_str!("../texts/en.json")).unwrap_or_default()
});

/// The text for a REASON, with its parameters put in; `None` when the catalogue has no
/// such REASON.
pub(crate) fn text(
    reason: &str,
    params: &[(Cow<'static, str>, String)],
) -> Option<Cow<'static, str>> {
    let template = *ENGLISH.get(reason)?;
    if params.is_empty() {
        return Some(Cow::Borrowed(template));
    }
    let filled = params.iter().fold(template.to_owned(), |text, (name, value)| {
        text.replace(&format!("{{{name}}}"), value)
    });
    Some(Cow::Owned(filled))
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
    fn the_catalogue_is_readable_sorted_and_without_duplicates() {
        let source = include_str!("../texts/en.json");
        let parsed: HashMap<String, String> = serde_json::from_str(source).unwrap();
        let reasons: Vec<&str> = source
            .lines()
            .filter_map(|line| line.trim().strip_prefix('"')?.split('"').next())
            .collect();
        assert_eq!(reasons.len(), parsed.len());
        assert!(reasons.is_sorted(), "sort the catalogue by REASON");
    }

    #[test]
    fn parameters_are_put_in() {
        let params =
            [("least".into(), "KES 1.00".to_owned()), ("most".into(), "KES 9.00".to_owned())];
        assert_eq!(
            text("AMOUNT_OUT_OF_RANGE", &params).as_deref(),
            Some("Please enter an amount from KES 1.00 to KES 9.00.")
        );
        assert_eq!(text("NO_SUCH_REASON", &[]), None);
    }

    #[test]
    fn each_reason_in_the_sources_has_a_text_and_each_text_a_reason() {
        let sources = sources();
        let used: BTreeSet<&str> = sources.iter().flat_map(|source| reasons(source)).collect();
        assert!(used.len() > 30, "the scan finds the tables of refusals: {used:?}");
        let without: Vec<_> = used.iter().filter(|reason| text(reason, &[]).is_none()).collect();
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

    /// The Rust sources of the workspace, and of the services to come, without their tests.
    fn sources() -> Vec<String> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
        let members = ["", "crates", "tools/xtask/templates"].map(|folder| root.join(folder));
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
