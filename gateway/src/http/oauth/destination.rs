//! Where the browser goes when the provider is done with it.

/// Longest path, in bytes.
const LENGTH: usize = 512;

/// Where to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Destination {
    /// To whoever opened the pop-up.
    Opener,
    /// To a page of our own origin: a path, and perhaps a query.
    Page(String),
}

impl Destination {
    /// A page, if the text can be nothing but a page of ours. Strict, because browsers
    /// are not: they drop control characters, take `\` for `/`, and see another host
    /// behind `//`.
    pub(super) fn page(text: &str) -> Option<Self> {
        let visible = text.bytes().all(|byte| byte.is_ascii_graphic());
        if text.len() > LENGTH || !visible || text.contains(['\\', '#']) {
            return None;
        }
        let path = text.split_once('?').map_or(text, |(path, _)| path);
        let segments: Vec<_> = path.strip_prefix('/')?.split('/').collect();
        let (last, others) = segments.split_last()?;
        let up = |segment: &&str| {
            let segment = segment.to_ascii_lowercase().replace("%2e", ".");
            segment == "." || segment == ".."
        };
        // An empty one makes `//`; the last may be empty.
        if others.contains(&"") || segments.iter().any(up) {
            return None;
        }
        // A call is no page: this one would go round in circles.
        let is_call = others.first().unwrap_or(last).eq_ignore_ascii_case("api");
        (!is_call).then(|| Self::Page(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_ours_are_come_back_to() {
        let longest = format!("/{}", "x".repeat(511));
        for path in [
            "/",
            "/dashboard",
            "/games/7/",
            "/tournaments/leaderboard/9?from=home&x=//",
            "/login?next=https://playon.example",
            "/playon-tv/%2Fx",
            "/@amina",
            &longest,
        ] {
            assert_eq!(Destination::page(path), Some(Destination::Page(path.to_owned())), "{path}");
        }
    }

    #[test]
    fn nothing_else_is() {
        let too_long = format!("/{}", "x".repeat(512));
        for path in [
            "",
            "dashboard",
            "https://evil.example",
            "HTTPS:evil.example",
            "javascript:alert(1)",
            "data:text/html,x",
            "//evil.example",
            "///evil.example",
            "////evil.example/..",
            "/\\evil.example",
            "\\/evil.example",
            "\\\\evil.example",
            "/\t/evil.example",
            "/\n/evil.example",
            "/\r\nLocation: https://evil.example",
            " //evil.example",
            "/ /evil.example",
            "\u{0}/dashboard",
            "/./evil.example",
            "/.//evil.example",
            "/..//evil.example",
            "/%2e%2e//evil.example",
            "/x/../../evil.example",
            "/%2E./x",
            "/x//evil.example",
            "/dashboard#oauth=forged",
            "/dashb\u{f6}ard",
            "/\u{2028}/evil.example",
            "/\u{ff0f}evil.example",
            "/api",
            "/API/auth/oauth/google/start",
            "/api/auth/oauth/google/start?redirect=/",
            "?x",
            "@evil.example",
            ".evil.example",
            &too_long,
        ] {
            assert_eq!(Destination::page(path), None, "{path:?}");
        }
    }
}
