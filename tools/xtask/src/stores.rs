//! Postgres and Redis of an instance, running and with databases.

use anyhow::Result;

use crate::apt::{self, Tool};
use crate::files::remove;
use crate::instance::{BOT_ACCOUNTS, Instance};
use crate::mesh::Mesh;
use crate::postgres::{self, Postgres, ServiceRoles};
use crate::redis;
use crate::services::{POSTGRES, SERVICES};
use crate::terminal::Step;

/// The running stores.
#[derive(Debug)]
pub(crate) struct Stores {
    postgres: Postgres,
    superuser_password: String,
}

impl Stores {
    /// Starts both stores in the mesh; with `databases`, every service gets a database of its own.
    pub(crate) fn start(instance: &Instance, mesh: &mut Mesh, databases: bool) -> Result<Self> {
        let postgres = Postgres::of(instance, &apt::require(Tool::Postgres)?)?;
        let redis = redis::daemon(instance, &apt::require(Tool::Redis)?)?;
        if instance.running(POSTGRES).is_none() {
            Step::begin("preparing PostgreSQL").end(postgres.prepare(instance))?;
        }
        mesh.start(vec![postgres.daemon(), redis])?;
        let mut secrets = instance.secrets()?;
        let superuser_password = secrets.get("POSTGRES_PASSWORD")?;
        let mut roles = Vec::new();
        for name in SERVICES.iter().filter(|_| databases) {
            roles.push(ServiceRoles {
                name,
                user_password: secrets.get(&password_name(name))?,
                owner_password: secrets.get(&owner_password_name(name))?,
            });
        }
        let step = Step::begin("roles and databases");
        step.end(postgres.provision(&superuser_password, &roles))?;
        Ok(Self { postgres, superuser_password })
    }

    /// The URL of a database for the superuser.
    pub(crate) fn superuser_url_of(&self, database: &str) -> String {
        self.postgres.superuser_url(&self.superuser_password, database)
    }

    /// Runs SQL as superuser.
    pub(crate) fn run_sql(&self, sql: &str) -> Result<()> {
        self.postgres.run_sql(sql)
    }
}

/// Each service's database as (variable, URL).
pub(crate) fn database_urls(instance: &Instance) -> Result<Vec<(String, String)>> {
    let urls = SERVICES.iter().map(|name| {
        let [user, _] = service_environment(instance, name)?;
        Ok(user)
    });
    urls.collect()
}

/// The variables with which a service uses and migrates its database.
pub(crate) fn service_environment(
    instance: &Instance,
    name: &str,
) -> Result<[(String, String); 2]> {
    let mut secrets = instance.secrets()?;
    let password = secrets.get(&password_name(name))?;
    let owner_password = secrets.get(&owner_password_name(name))?;
    Ok([
        (database_variable(name), postgres::service_url(instance, name, &password)),
        (
            format!("{}_OWNER_DATABASE_URL", name.to_uppercase()),
            postgres::owner_url(instance, name, &owner_password),
        ),
    ])
}

/// The variable from which a service reads its database's URL.
pub(crate) fn database_variable(service: &str) -> String {
    format!("{}_DATABASE_URL", service.to_uppercase())
}

fn password_name(service: &str) -> String {
    format!("{}_DATABASE_PASSWORD", service.to_uppercase())
}

fn owner_password_name(service: &str) -> String {
    format!("{}_OWNER_DATABASE_PASSWORD", service.to_uppercase())
}

/// Removes all data of a stopped instance: stores, sandbox and secrets.
pub(crate) fn erase(instance: &Instance) -> Result<()> {
    if let Some(programs) = Tool::Postgres.find() {
        Postgres::of(instance, &programs)?.erase()?;
    }
    for part in ["redis", "sandbox", "secrets.env", BOT_ACCOUNTS] {
        remove(&instance.dir.join(part))?;
    }
    Ok(())
}
