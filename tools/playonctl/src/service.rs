//! The services that own content.

use std::path::Path;

use anyhow::{Context as _, ensure};
use mesh::{
    Fault,
    edges::OPERATORS,
    grpc::client::{Outgoing, connect_untraced},
    tls::Certificates,
};
use strum::EnumIter;
use tonic::{Code, Status};
use tonic_types::StatusExt as _;
use types::{Clock, Rng};

use crate::manifest::Kind;

/// A service that owns content, in the order of [`Kind`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, EnumIter)]
pub(crate) enum Service {
    Games,
    Tournament,
    Chat,
    Wallet,
}

/// One value for each service.
#[derive(Debug, Clone)]
pub struct PerService<T> {
    /// svc-games.
    pub games: T,
    /// svc-tournament.
    pub tournament: T,
    /// svc-chat.
    pub chat: T,
    /// svc-wallet.
    pub wallet: T,
}

impl<T> PerService<T> {
    pub(crate) fn of(&self, service: Service) -> &T {
        match service {
            Service::Games => &self.games,
            Service::Tournament => &self.tournament,
            Service::Chat => &self.chat,
            Service::Wallet => &self.wallet,
        }
    }
}

impl Kind {
    /// The service that owns the kind.
    pub(crate) const fn service(self) -> Service {
        match self {
            Self::Game | Self::Event | Self::TvItem => Service::Games,
            Self::Tournament => Service::Tournament,
            Self::ChatRoom | Self::ContactSetting => Service::Chat,
            Self::SubscriptionPackage | Self::PaymentMethod => Service::Wallet,
        }
    }
}

impl Service {
    /// The service's name in the mesh.
    pub(crate) const fn package(self) -> &'static str {
        match self {
            Self::Games => "svc-games",
            Self::Tournament => "svc-tournament",
            Self::Chat => "svc-chat",
            Self::Wallet => "svc-wallet",
        }
    }

    /// The flag with the service's URL.
    pub(crate) const fn flag(self) -> &'static str {
        match self {
            Self::Games => "--games-url",
            Self::Tournament => "--tournament-url",
            Self::Chat => "--chat-url",
            Self::Wallet => "--wallet-url",
        }
    }

    /// A failure of a call that is not about one document.
    pub(crate) fn failure(self, status: &Status) -> anyhow::Error {
        failure(self.package(), self.flag(), status)
    }
}

/// Connects to a service with the operator's certificate in a folder.
pub(crate) fn connect(
    package: &'static str,
    flag: &str,
    url: &str,
    tls_dir: &Path,
) -> anyhow::Result<Outgoing> {
    let certificates = Certificates::load(tls_dir, OPERATORS).with_context(|| {
        format!("no certificate of an operator in {} (--tls-dir)", tls_dir.display())
    })?;
    let is_over = certificates.expires_at() <= Clock::system().now().unix_timestamp();
    ensure!(
        !is_over,
        "the certificate in {} (--tls-dir) has expired: `cargo xtask up` issues another one, and \
         in a cluster `playonctl operators request`",
        tls_dir.display()
    );
    connect_untraced(url, package, certificates, Rng::system())
        .with_context(|| format!("the URL of {package} ({flag})"))
}

/// A failure of a call to a service whose URL is in a flag.
pub(crate) fn failure(package: &str, flag: &str, status: &Status) -> anyhow::Error {
    match status.code() {
        Code::Unavailable | Code::DeadlineExceeded if is_out_of_reach(status) => anyhow::anyhow!(
            "{package} cannot be reached: is it up at {flag}, and is the certificate in --tls-dir \
             from the operators' authority, for twelve hours at most?"
        ),
        code => match violation(status) {
            Some((field, problem)) => anyhow::anyhow!("{package}: {field} {problem}"),
            None if is_refusal(status) => anyhow::anyhow!("{package}: {}", status.message()),
            None => anyhow::anyhow!("{package}: {code}: {}", status.message()),
        },
    }
}

/// Whether a service refused the call with a REASON, whose text says what an operator can do.
fn is_refusal(status: &Status) -> bool {
    status.get_details_error_info().is_some()
}

/// Whether nothing answered: a refusal of a service has a reason of its own.
fn is_out_of_reach(status: &Status) -> bool {
    Fault::from_status(status).is_outage()
}

/// Whether a call was stored as a proposal, which a second operator has to confirm.
pub(crate) fn needs_second_operator(status: &Status) -> bool {
    Fault::from_status(status).reason == "NEEDS_SECOND_OPERATOR"
}

/// The field that a refusal is about, and what is wrong with it.
pub(crate) fn violation(status: &Status) -> Option<(String, String)> {
    let violation = status.get_details_bad_request()?.field_violations.into_iter().next()?;
    Some((violation.field, violation.description))
}
