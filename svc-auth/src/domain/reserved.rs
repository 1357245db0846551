//! Usernames that nobody can choose, because they look like PlayOn's own.

/// Words of which no username consists, however they are spelled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ReservedUsernames(Vec<String>);

impl ReservedUsernames {
    /// The words in any spelling.
    pub(crate) fn new<'a>(words: impl IntoIterator<Item = &'a str>) -> Self {
        Self(words.into_iter().map(folded).filter(|word| !word.is_empty()).collect())
    }

    /// Whether a username reads as one of the words or as several of them, also with a number
    /// after it: `admin`, `Adm1n_`, `playon.support`, `support24`.
    pub(crate) fn includes(&self, username: &str) -> bool {
        let without_number = username.trim_end_matches(|char: char| char.is_ascii_digit());
        [username, without_number].into_iter().any(|text| self.consists(&folded(text)))
    }

    fn consists(&self, text: &str) -> bool {
        let is_rest_reserved = |rest: &str| rest.is_empty() || self.consists(rest);
        let mut words = self.0.iter().filter_map(|word| text.strip_prefix(word.as_str()));
        words.any(is_rest_reserved)
    }
}

/// A spelling in which usernames that look alike are the same. They have the letters a to z,
/// digits, dots and underscores only.
fn folded(text: &str) -> String {
    let letters = text.trim().chars().filter_map(|char| match char.to_ascii_lowercase() {
        '.' | '_' => None,
        '0' => Some('o'),
        '1' | 'l' => Some('i'),
        '3' => Some('e'),
        '4' => Some('a'),
        '5' => Some('s'),
        '7' => Some('t'),
        letter => Some(letter),
    });
    letters.collect::<String>().replace("rn", "m").replace("vv", "w")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_reserved_in_every_spelling_that_looks_like_it() {
        let reserved = ReservedUsernames::new(["admin", "playon", "support", "mpesa", "moderator"]);
        for username in [
            "admin",
            "ADMIN",
            "adm1n",
            "adrnin",
            "a.d.m_i.n",
            "_admin_",
            "admin7",
            "admin2026",
            "PlayOn",
            "p1ay0n",
            "playon.support",
            "support_admin",
            "5upport",
            "rnpesa",
            "m_pesa",
        ] {
            assert!(reserved.includes(username), "{username}");
        }
        for username in
            ["wanjiru", "admiral", "playonfan", "supporter", "kenya254", "m.kamau", "123"]
        {
            assert!(!reserved.includes(username), "{username}");
        }
    }
}
