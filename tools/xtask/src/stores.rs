//! Postgres and Redis of an instance, running and provisioned.

use anyhow::Result;

use crate::apt::{self, Tool};
use crate::instance::{Instance, remove};
use crate::mesh::Mesh;
use crate::postgres::{self, Postgres};
use crate::redis;
use crate::services::SERVICES;
use crate::terminal::Step;

/// Ways into the stores.
#[derive(Debug)]
pub(crate) struct Stores {
    postgres: Postgres,
    superuser: String,
}

impl Stores {
    /// Starts both in the mesh; with `databases`, every service gets its own.
    pub(crate) fn start(instance: &Instance, mesh: &mut Mesh, databases: bool) -> Result<Self> {
        let tools = apt::require(&[Tool::Postgres, Tool::Redis])?;
        let [programs, redis_server] = tools.as_slice() else {
            anyhow::bail!("apt::require answers for every tool");
        };
        let postgres = Postgres::of(instance, programs)?;
        if instance.running(postgres::NAME).is_none() {
            let step = Step::begin("preparing PostgreSQL");
            postgres.prepare(instance)?;
            step.done();
        }
        mesh.start(vec![postgres.daemon(), redis::daemon(instance, redis_server)?])?;
        let superuser = provision(instance, &postgres, databases)?;
        Ok(Self { postgres, superuser })
    }

    /// The superuser's way into one database.
    pub(crate) fn superuser_url_of(&self, database: &str) -> String {
        self.postgres.superuser_url(&self.superuser, database)
    }

    /// Runs SQL as superuser.
    pub(crate) fn run_sql(&self, sql: &str) -> Result<()> {
        self.postgres.run_sql(sql)
    }
}

fn provision(instance: &Instance, postgres: &Postgres, databases: bool) -> Result<String> {
    let mut secrets = instance.secrets()?;
    let superuser = secrets.get("POSTGRES_PASSWORD")?;
    let mut owners = Vec::new();
    if databases {
        for name in SERVICES {
            owners.push((*name, secrets.get(&password_name(name))?));
        }
    }
    let step = Step::begin("roles and databases");
    postgres.provision(&superuser, &owners)?;
    step.done();
    Ok(superuser)
}

/// Each service's database as (variable, URL).
pub(crate) fn database_urls(instance: &Instance) -> Result<Vec<(String, String)>> {
    let mut secrets = instance.secrets()?;
    SERVICES
        .iter()
        .map(|name| {
            let password = secrets.get(&password_name(name))?;
            Ok((database_variable(name), postgres::service_url(instance, name, &password)))
        })
        .collect()
}

/// The variable in which a service finds its database.
pub(crate) fn database_variable(service: &str) -> String {
    format!("{}_DATABASE_URL", service.to_uppercase())
}

fn password_name(service: &str) -> String {
    format!("{}_DATABASE_PASSWORD", service.to_uppercase())
}

/// Throws away all that the stores, the sandbox and the secrets of a stopped
/// instance hold.
pub(crate) fn erase(instance: &Instance) -> Result<()> {
    if let Some(programs) = Tool::Postgres.find() {
        Postgres::of(instance, &programs)?.erase()?;
    }
    for part in ["redis", "sandbox", "secrets.env"] {
        remove(&instance.dir.join(part))?;
    }
    Ok(())
}
