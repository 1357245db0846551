//! PlayOn's public origin.

use std::str::FromStr;

use reqwest::Url;

/// The origin that players see: scheme, host and port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The origin, without a trailing slash.
    text: String,
    host: String,
}

impl Origin {
    /// The URL of a page. `path` begins with a slash.
    pub fn page(&self, path: &str) -> String {
        format!("{}{path}", self.text)
    }

    /// The host, without the port.
    pub fn host(&self) -> &str {
        &self.host
    }
}

impl FromStr for Origin {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const FORM: &str = "not an origin such as https://playon.example";
        let url = Url::parse(text.trim()).map_err(|_| FORM)?;
        let bare = matches!(url.scheme(), "http" | "https")
            && url.path() == "/"
            && url.query().is_none()
            && url.fragment().is_none()
            && url.username().is_empty()
            && url.password().is_none();
        let host = url.host_str().filter(|_| bare).ok_or(FORM)?.to_owned();
        Ok(Self { text: url.origin().ascii_serialization(), host })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_the_origin_followed_by_the_path() {
        for (text, page, host) in [
            ("https://playon.example", "https://playon.example/login", "playon.example"),
            ("https://PlayOn.example/", "https://playon.example/login", "playon.example"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080/login", "127.0.0.1"),
        ] {
            let origin: Origin = text.parse().unwrap();
            assert_eq!((origin.page("/login").as_str(), origin.host()), (page, host));
        }
    }

    #[test]
    fn urls_with_more_than_an_origin_are_refused() {
        for text in [
            "",
            "playon.example",
            "ftp://playon.example",
            "https://playon.example/app",
            "https://playon.example/?a=b",
            "https://playon.example/#top",
            "https://user@playon.example",
        ] {
            assert!(text.parse::<Origin>().is_err(), "{text}");
        }
    }
}
