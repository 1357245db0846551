//! Addresses on this machine: load is never sent elsewhere.

use std::{
    fmt,
    net::{IpAddr, SocketAddr},
    str::FromStr,
};

use anyhow::{Context as _, Result, ensure};
use sqlx::postgres::PgConnectOptions;

/// A plain HTTP origin on the loopback interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Target(SocketAddr);

impl Target {
    /// The socket address to connect to.
    pub(crate) const fn address(self) -> SocketAddr {
        self.0
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "http://{}", self.0)
    }
}

impl FromStr for Target {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const FORM: &str = "only http://127.0.0.1:PORT: load is sent to this machine only";
        let authority = text.trim_end_matches('/').strip_prefix("http://").ok_or(FORM)?;
        let address: SocketAddr = authority.parse().map_err(|_| FORM)?;
        if address.ip().is_loopback() { Ok(Self(address)) } else { Err(FORM) }
    }
}

/// A Postgres database on the loopback interface.
#[derive(Clone)]
pub(crate) struct LocalDatabase {
    url: String,
    options: PgConnectOptions,
}

impl LocalDatabase {
    /// The options to connect with.
    pub(crate) const fn options(&self) -> &PgConnectOptions {
        &self.options
    }

    /// The options to connect to `other` with this URL's role and password: the role is a
    /// superuser, the service's own is not. Fails when the two are on different servers.
    pub(crate) fn options_for(&self, other: &Self) -> Result<PgConnectOptions> {
        let (here, there) = (&self.options, &other.options);
        let same = here.get_host() == there.get_host() && here.get_port() == there.get_port();
        ensure!(same, "{self:?} and {other:?} are on different servers");
        let database = there.get_database().context("a database URL without a database")?;
        Ok(here.clone().database(database))
    }

    /// The URL without its password, and the password for `PGPASSWORD`: other users can
    /// read the command line of a program.
    pub(crate) fn without_password(&self) -> (String, Option<&str>) {
        let parts = self.url.split_once("://").and_then(|(scheme, rest)| {
            let (user, place) = rest.rsplit_once('@')?;
            let (user, password) = user.split_once(':')?;
            Some((format!("{scheme}://{user}@{place}"), password))
        });
        match parts {
            Some((url, password)) => (url, Some(password)),
            None => (self.url.clone(), None),
        }
    }
}

impl fmt::Debug for LocalDatabase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.without_password().0)
    }
}

impl FromStr for LocalDatabase {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let options: PgConnectOptions =
            text.parse().map_err(|error: sqlx::Error| error.to_string())?;
        let host = options.get_host();
        let local = host == "localhost"
            || host.starts_with('/')
            || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
        if !local {
            return Err("only a database on 127.0.0.1".to_owned());
        }
        Ok(Self { url: text.to_owned(), options })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_elsewhere_is_refused() {
        assert!("http://127.0.0.1:8080".parse::<Target>().is_ok());
        assert!("http://[::1]:8080/".parse::<Target>().is_ok());
        for elsewhere in [
            "http://192.0.2.1:8080",
            "http://playon.example:80",
            "https://127.0.0.1:8443",
            "http://127.0.0.1:8080@192.0.2.1",
            "127.0.0.1:8080",
        ] {
            assert!(elsewhere.parse::<Target>().is_err(), "{elsewhere}");
        }
    }

    #[test]
    fn a_database_elsewhere_is_refused() {
        assert!("postgres://a:b@127.0.0.1:5432/c".parse::<LocalDatabase>().is_ok());
        assert!("postgres://a:b@192.0.2.1:5432/c".parse::<LocalDatabase>().is_err());
    }

    #[test]
    fn another_database_is_opened_with_the_same_role() {
        let parse = |url: &str| url.parse::<LocalDatabase>().unwrap();
        let own = parse("postgres://root:x@127.0.0.1:5432/bench");
        let options = own.options_for(&parse("postgres://w:y@127.0.0.1:5432/wallet")).unwrap();
        assert_eq!((options.get_username(), options.get_database()), ("root", Some("wallet")));
        assert!(own.options_for(&parse("postgres://w:y@127.0.0.1:5433/wallet")).is_err());
    }

    #[test]
    fn the_password_is_removed_from_the_url_and_from_debug_output() {
        let database: LocalDatabase = "postgres://a:s3cret@127.0.0.1:5432/c".parse().unwrap();
        let (url, password) = database.without_password();
        assert_eq!((url.as_str(), password), ("postgres://a@127.0.0.1:5432/c", Some("s3cret")));
        assert!(!format!("{database:?}").contains("s3cret"));
    }
}
