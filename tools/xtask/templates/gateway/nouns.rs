//! {{Nouns_words}}.

use axum::extract::State;
use proto::{
    Absent,
    {{name}}::v1::{
        self as rpc, Create{{Noun}}Request, Find{{Noun}}Request, Get{{Noun}}Request,
        List{{Nouns}}Request,
    },
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    Outcome,
    body::{Body, request},
    param::{PageQuery, Query, RequestId, Segment},
    wire::At,
};
use crate::{Gateway, envelope::Reply, openapi::schema::payloads};

/// `GET /{{nouns_path}}?pageSize=…&pageToken=…`
pub(crate) async fn list(
    State(gateway): State<Gateway>,
    Query(query): Query<{{Noun}}List>,
    PageQuery { page_size, .. }: PageQuery,
) -> Outcome<{{Noun}}Page> {
    let page_token = query.page_token.unwrap_or_default();
    let request = List{{Nouns}}Request { page_size, page_token };
    let reply = gateway.upstreams().{{name}}().list_{{nouns}}(request).await?.into_inner();
    let items: Result<_, Absent> = reply.{{nouns}}.into_iter().map(TryInto::try_into).collect();
    Ok(Reply::ok({{Noun}}Page { items: items?, next_page_token: reply.next_page_token }))
}

/// `GET /{{nouns_path}}/{id}`
pub(crate) async fn get(State(gateway): State<Gateway>, Segment(id): Segment) -> Outcome<{{Noun}}> {
    let reply = gateway.upstreams().{{name}}().get_{{noun}}(Get{{Noun}}Request { id }).await?;
    Ok(Reply::ok(reply.into_inner().{{noun}}.try_into()?))
}

/// `GET /{{nouns_path}}/code/{code}`
pub(crate) async fn find(
    State(gateway): State<Gateway>,
    Segment(code): Segment,
) -> Outcome<{{Noun}}> {
    let reply = gateway.upstreams().{{name}}().find_{{noun}}(Find{{Noun}}Request { code }).await?;
    Ok(Reply::ok(reply.into_inner().{{noun}}.try_into()?))
}

/// `POST /{{nouns_path}}`
pub(crate) async fn create(
    State(gateway): State<Gateway>,
    RequestId(request_id): RequestId,
    Body(body): Body<New{{Noun}}>,
) -> Outcome<{{Noun}}> {
    let request = Create{{Noun}}Request { request_id, name: body.name };
    let reply = gateway.upstreams().{{name}}().create_{{noun}}(request).await?;
    Ok(Reply::ok(reply.into_inner().{{noun}}.try_into()?))
}

request! {
    /// Where a page begins.
    pub(crate) struct {{Noun}}List {
        /// The `nextPageToken` of the page before.
        page_token: Option<String> = "pageToken",
    }
}

request! {
    /// A new {{noun_words}}.
    pub(crate) struct New{{Noun}} {
        name: String = "name",
    }
}

payloads!({{Noun}}Page, {{Noun}});

/// A page of {{nouns_words}}, newest first.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct {{Noun}}Page {
    items: Vec<{{Noun}}>,
    /// Empty after the last page.
    next_page_token: String,
}

/// {{A_noun_words}}.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct {{Noun}} {
    id: String,
    name: String,
    code: String,
    created_at: At,
    expires_at: At,
    expired: bool,
}

impl TryFrom<rpc::{{Noun}}> for {{Noun}} {
    type Error = Absent;

    fn try_from({{noun}}: rpc::{{Noun}}) -> Result<Self, Absent> {
        Ok(Self {
            id: {{noun}}.id,
            name: {{noun}}.name,
            code: {{noun}}.code,
            created_at: At::promised({{noun}}.created_at, "created_at")?,
            expires_at: At::promised({{noun}}.expires_at, "expires_at")?,
            expired: {{noun}}.expired,
        })
    }
}

impl TryFrom<Option<rpc::{{Noun}}>> for {{Noun}} {
    type Error = Absent;

    fn try_from({{noun}}: Option<rpc::{{Noun}}>) -> Result<Self, Absent> {
        {{noun}}.ok_or(Absent("{{noun}}"))?.try_into()
    }
}
