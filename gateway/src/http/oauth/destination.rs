//! Where the browser goes after the provider's page.

/// Longest path, in bytes.
const LENGTH: usize = 512;

/// Where a sign-in ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Destination {
    /// The page that opened the pop-up.
    Opener,
    /// A page of our origin: a path, and possibly a query.
    Page(String),
}

impl Destination {
    /// A page, if the text is certain to be a path of ours. The check is strict, because browsers
    /// are not: they drop control characters, read `\` as `/`, and `//` as the start of a host.
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
        // An empty segment makes `//`; only the last segment may be empty.
        if others.contains(&"") || segments.iter().any(up) {
            return None;
        }
        let first = others.first().unwrap_or(last);
        let is_page = NO_PAGES.iter().all(|folder| !first.eq_ignore_ascii_case(folder));
        is_page.then(|| Self::Page(text.to_owned()))
    }
}

/// First segments of paths that are no pages of the app: calls (the sign-in's own would redirect
/// for ever), callbacks, players' uploads and games.
const NO_PAGES: [&str; 4] = ["api", "hooks", "media", "play"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_of_our_origin_is_a_destination() {
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
    fn another_origin_is_no_destination() {
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
            "/hooks/stk/secret",
            "/media/chat/x/y",
            "/play",
            "/play/ajua/",
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
