//! The languages of the texts that players read.

/// A language that players can choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Language {
    /// The language of the sources, and of callers that ask for none of ours.
    #[default]
    English,
    /// Swahili as spoken in Kenya.
    Swahili,
}

impl Language {
    /// The language's BCP 47 tag.
    pub const fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Swahili => "sw",
        }
    }

    /// The language that a value of `Accept-Language` (RFC 9110, 12.5.4) prefers.
    pub fn preferred(header: &str) -> Self {
        let mut best = (Self::default(), 0.0);
        for range in header.split(',') {
            let (tag, parameter) = range.split_once(';').unwrap_or((range, ""));
            let quality = match parameter.trim().strip_prefix("q=") {
                Some(quality) => quality.parse().unwrap_or(0.0),
                None => 1.0,
            };
            // The first of several languages with the same quality is preferred.
            if let Some(language) = Self::named(tag.trim())
                && quality > best.1
            {
                best = (language, quality);
            }
        }
        best.0
    }

    /// The language of a tag, whatever its region.
    pub fn named(tag: &str) -> Option<Self> {
        let primary = tag.split('-').next().unwrap_or(tag);
        [Self::English, Self::Swahili]
            .into_iter()
            .find(|language| primary.eq_ignore_ascii_case(language.tag()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_preferred_language_that_we_have_is_chosen() {
        for (header, language) in [
            ("sw-KE", Language::Swahili),
            ("SW", Language::Swahili),
            ("en-KE", Language::English),
            ("fr-FR, sw;q=0.8, en;q=0.7", Language::Swahili),
            ("sw;q=0.3, en-GB;q=0.9", Language::English),
            ("en, sw", Language::English),
            ("sw;q=0", Language::English),
            ("fr", Language::English),
            ("swe", Language::English),
            ("*", Language::English),
            ("sw;q=often", Language::English),
            ("", Language::English),
        ] {
            assert_eq!(Language::preferred(header), language, "{header:?}");
        }
    }
}
