//! svc-games, and documents to apply to it.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use mesh::{
    Running,
    args::{AuthArgs, DatabaseArgs},
};
use playonctl::{Catalogue, Mode, apply, read};
use svc_games::{Args, build};
use testkit::{Database, Tokens};
use types::{Clock, Rng};

/// A running svc-games, and a folder for the documents.
pub(crate) struct Service {
    pub(crate) catalogue: Catalogue,
    database: Database,
    pub(crate) folder: PathBuf,
    clock: Clock,
    _running: Running,
}

impl Service {
    pub(crate) async fn start() -> Self {
        let base = testkit::base("svc-games");
        let database = testkit::database("svc-games").await;
        let auth_url = Tokens::new(&base.clock).serve_keys().await;
        let args = Args {
            mesh: testkit::args(),
            database_url: database.url.clone(),
            owner_database_url: Some(database.owner_url.clone()),
            database: DatabaseArgs::default(),
            auth: AuthArgs { auth_url },
            // Content needs no tournaments.
            tournament_url: "https://127.0.0.1:1".to_owned(),
        };
        let app = build(base.clone(), args).await.unwrap();
        let running = testkit::start(&base, app).await;
        let upstream = testkit::upstream("playonctl", "svc-games", running.addr);
        let id = Rng::system().uuid_v7(Clock::system().now()).simple();
        let folder = std::env::temp_dir().join(format!("playonctl-it-{id}"));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("counter.wasm"), counter()).unwrap();
        let catalogue = Catalogue::of(upstream);
        Self { catalogue, database, folder, clock: base.clock, _running: running }
    }

    /// Applies the documents of a text; returns what is printed.
    pub(crate) async fn run(&self, text: &str, mode: Mode) -> anyhow::Result<String> {
        let file = self.folder.join("content.yaml");
        fs::write(&file, text).unwrap();
        self.run_file(&file, mode).await
    }

    /// The same with those of a file or a folder.
    pub(crate) async fn run_file(&self, path: &Path, mode: Mode) -> anyhow::Result<String> {
        let documents = read(&[path.to_owned()])?;
        // Later each time: relative times must not move.
        self.clock.advance(Duration::from_hours(1));
        let mut out = Vec::new();
        apply(&self.catalogue, &documents, mode, self.clock.now(), &mut out).await?;
        Ok(String::from_utf8(out).unwrap())
    }

    pub(crate) async fn changes(&self) -> i64 {
        let query = "SELECT count(*) FROM content_change";
        sqlx::query_scalar(query).fetch_one(&self.database.pool).await.unwrap()
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.folder));
    }
}

/// A small rules module.
pub(crate) fn counter() -> Vec<u8> {
    wat::parse_str(include_str!("../../../../svc-games/tests/it/counter.wat")).unwrap()
}
