//! Names that nobody can choose, because they look like PlayOn's own.

/// Words of which no username and no name consists, however they are spelled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ReservedUsernames(Vec<String>);

impl ReservedUsernames {
    /// The words in any spelling.
    pub(crate) fn new<'a>(words: impl IntoIterator<Item = &'a str>) -> Self {
        Self(words.into_iter().map(folded).filter(|word| !word.is_empty()).collect())
    }

    /// Whether a username or a name reads as one of the words or as several of them, also with
    /// numbers around it: `admin`, `Adm1n_`, `playon.support`, `24support`, `PlayOn Support`.
    pub(crate) fn includes(&self, text: &str) -> bool {
        let without_numbers = text.trim_matches(|char: char| !char.is_alphabetic());
        [text, without_numbers].into_iter().any(|text| self.consists(&folded(text)))
    }

    fn consists(&self, text: &str) -> bool {
        let is_rest_reserved = |rest: &str| rest.is_empty() || self.consists(rest);
        let mut words = self.0.iter().filter_map(|word| text.strip_prefix(word.as_str()));
        words.any(is_rest_reserved)
    }
}

/// A spelling in which texts that look alike are the same, as far as usernames can: they have the
/// letters a to z, digits, dots and underscores only.
fn folded(text: &str) -> String {
    let letters = text.chars().filter_map(|char| match char.to_ascii_lowercase() {
        '0' => Some('o'),
        '1' | 'l' => Some('i'),
        '3' => Some('e'),
        '4' => Some('a'),
        '5' => Some('s'),
        '7' => Some('t'),
        letter => letter.is_alphanumeric().then_some(letter),
    });
    letters.collect::<String>().replace("rn", "m").replace("vv", "w")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_reserved_in_every_spelling_that_looks_like_it() {
        let reserved = ReservedUsernames::new(["admin", "playon", "support", "mpesa", "moderator"]);
        for text in [
            "admin",
            "ADMIN",
            "adm1n",
            "adrnin",
            "a.d.m_i.n",
            "_admin_",
            "admin7",
            "admin7_",
            "admin7 ",
            "admin2026",
            "24support",
            "support24.",
            "PlayOn",
            "p1ay0n",
            "playon.support",
            "support_admin",
            "5upport",
            "rnpesa",
            "m_pesa",
            "PlayOn Support",
        ] {
            assert!(reserved.includes(text), "{text}");
        }
        for text in [
            "wanjiru",
            "admiral",
            "playonfan",
            "supporter",
            "kenya254",
            "m.kamau",
            "123",
            "Wanjirũ",
        ] {
            assert!(!reserved.includes(text), "{text}");
        }
    }
}
