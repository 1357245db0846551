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
}
