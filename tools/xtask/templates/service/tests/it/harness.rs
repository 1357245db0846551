//! The service under test.

use std::time::Duration;

use mesh::{
    Base, Running, Shutdown,
    args::{AuthArgs, DatabaseArgs},
    grpc::client::Outgoing,
};
use proto::{{name}}::v1::{
    Create{{Noun}}Request, {{Noun}},
    {{name}}_internal_service_client::{{Name}}InternalServiceClient,
    {{name}}_service_client::{{Name}}ServiceClient,
};
use svc_{{name}}::{Args, build};
use testkit::{Database, Tokens, eventually};
use tonic::{Request, Status};
use types::Clock;

/// A running service, its clients and its database.
pub(crate) struct Service {
    pub(crate) client: {{Name}}ServiceClient<Outgoing>,
    pub(crate) internal: {{Name}}InternalServiceClient<Outgoing>,
    pub(crate) database: Database,
    pub(crate) clock: Clock,
    pub(crate) tokens: Tokens,
    base: Base,
    args: Args,
    _running: Running,
}

impl Service {
    pub(crate) async fn start() -> Self {
        let base = testkit::base("svc-{{name}}");
        let database = testkit::database("svc-{{name}}").await;
        let tokens = Tokens::new(&base.clock);
        let args = Args {
            mesh: testkit::args(),
            database_url: database.url.clone(),
            owner_database_url: Some(database.owner_url.clone()),
            database: DatabaseArgs::default(),
            auth: AuthArgs { auth_url: tokens.serve_keys().await },
            {{noun}}_lifetime: Duration::from_hours(24 * 30),
        };
        Self::with(base, args, database, tokens).await
    }

    /// Starts another replica on the same database, with the same clock and players.
    pub(crate) async fn start_replica(&self) -> Self {
        let base = Base { shutdown: Shutdown::new(), ..self.base.clone() };
        Self::with(base, self.args.clone(), self.database.clone(), self.tokens.clone()).await
    }

    async fn with(base: Base, args: Args, database: Database, tokens: Tokens) -> Self {
        let app = build(base.clone(), args.clone()).await.unwrap();
        let running = testkit::start(&base, app).await;
        let upstream = |caller| testkit::upstream(caller, "svc-{{name}}", running.addr);
        Self {
            client: {{Name}}ServiceClient::new(upstream("gateway")),
            internal: {{Name}}InternalServiceClient::new(upstream("svc-wallet")),
            database,
            clock: base.clock.clone(),
            tokens,
            base,
            args,
            _running: running,
        }
    }

    /// Creates {{a_noun_words}} as the player with this token.
    pub(crate) async fn create(
        &self,
        token: &str,
        request_id: &str,
        name: &str,
    ) -> Result<{{Noun}}, Status> {
        let request = Create{{Noun}}Request { request_id: request_id.into(), name: name.into() };
        let reply = self.client.clone().create_{{noun}}(signed(token, request)).await?;
        Ok(reply.into_inner().{{noun}}.unwrap())
    }

    /// A count from a query without parameters.
    pub(crate) async fn count(&self, query: &'static str) -> i64 {
        sqlx::query_scalar(query).fetch_one(&self.database.pool).await.unwrap()
    }

    /// Waits until a count has a value.
    pub(crate) async fn until(&self, query: &'static str, expected: i64) {
        eventually(query, || async {
            (self.count(query).await == expected).then_some(())
        })
        .await;
    }

    /// Records from now on, in the table `change`, each row that is expired or announced.
    pub(crate) async fn record_changes(&self) {
        sqlx::raw_sql(
            "CREATE TABLE change (id uuid NOT NULL, kind text NOT NULL);
             CREATE FUNCTION record_change() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
                 SET search_path = public AS
                 'BEGIN INSERT INTO change VALUES (NEW.id, TG_ARGV[0]); RETURN NULL; END';
             CREATE TRIGGER expired AFTER UPDATE OF expired_at ON {{noun}}
                 FOR EACH ROW EXECUTE FUNCTION record_change('expired');
             CREATE TRIGGER announced AFTER UPDATE OF announced_at ON {{noun}}
                 FOR EACH ROW EXECUTE FUNCTION record_change('announced');",
        )
        .execute(&self.database.pool)
        .await
        .unwrap();
    }
}

/// A request with a player's token.
pub(crate) fn signed<T>(token: &str, message: T) -> Request<T> {
    let mut request = Request::new(message);
    request.metadata_mut().insert("authorization", format!("Bearer {token}").parse().unwrap());
    request
}
