//! The services that the scenarios of play need beside the gateway.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use mesh::{
    grpc::client::{Outgoing, connect_untraced},
    tls::Certificates,
};
use types::Rng;

use crate::address::LocalDatabase;

/// The addresses of the services that operators and services call.
#[derive(Debug, clap::Args)]
pub(crate) struct PlayArgs {
    /// The folder with the certificates of the mesh, a folder for each process.
    #[arg(long, env = "MESH_TLS_DIR", value_name = "DIR")]
    pub(crate) mesh_tls_dir: Option<PathBuf>,

    /// svc-games.
    #[arg(long, env = "GAMES_URL")]
    pub(crate) games_url: Option<String>,

    /// svc-tournament.
    #[arg(long, env = "TOURNAMENT_URL")]
    pub(crate) tournament_url: Option<String>,

    /// svc-tournament's database: the standings of the large boards are loaded into it.
    #[arg(long, env = "TOURNAMENT_DATABASE_URL", hide_env_values = true)]
    pub(crate) tournament_database_url: Option<LocalDatabase>,

    /// The rules module of Duma Dash, as `npm run build` in `games` makes it.
    #[arg(long, value_name = "FILE", default_value = "games/dist/duma-dash/rules.wasm")]
    pub(crate) rules: PathBuf,
}

impl PlayArgs {
    /// The first thing that is missing for the scenarios of play, if any.
    pub(crate) fn missing(&self) -> Option<String> {
        let set = [
            ("MESH_TLS_DIR", self.mesh_tls_dir.is_some()),
            ("GAMES_URL", self.games_url.is_some()),
            ("TOURNAMENT_URL", self.tournament_url.is_some()),
        ];
        let missing = set.into_iter().find(|(_, is_set)| !is_set);
        missing.map(|(name, _)| format!("{name} is not set"))
    }

    /// A connection to svc-games in the name of `caller`.
    pub(crate) fn games(&self, caller: &'static str) -> Result<Outgoing> {
        let url = self.games_url.as_ref().context("GAMES_URL is not set")?;
        self.connect(url, "svc-games", caller)
    }

    /// A connection to svc-tournament in the name of `caller`.
    pub(crate) fn tournament(&self, caller: &'static str) -> Result<Outgoing> {
        let url = self.tournament_url.as_ref().context("TOURNAMENT_URL is not set")?;
        self.connect(url, "svc-tournament", caller)
    }

    fn connect(&self, url: &str, callee: &'static str, caller: &'static str) -> Result<Outgoing> {
        let folder = self.mesh_tls_dir.as_ref().context("MESH_TLS_DIR is not set")?;
        let certificates = Certificates::load(&folder.join(caller), caller)?;
        connect_untraced(url, callee, certificates, Rng::system())
    }
}
