//! `playon.{{name}}.v1.{{Name}}Service`.

use mesh::{auth::player, idempotency::RequestId};
use proto::{{name}}::v1::{
    Create{{Noun}}Request, Create{{Noun}}Response, Find{{Noun}}Request, Find{{Noun}}Response,
    Get{{Noun}}Request, Get{{Noun}}Response, List{{Nouns}}Request, List{{Nouns}}Response,
    {{name}}_service_server::{{Name}}Service,
};
use tonic::{Request, Response, Status};

use super::decode;
use crate::app::{self, Cx};

/// RPCs for guests and players.
pub(super) struct {{Nouns}}(pub(super) Cx);

#[tonic::async_trait]
impl {{Name}}Service for {{Nouns}} {
    async fn find_{{noun}}(
        &self,
        request: Request<Find{{Noun}}Request>,
    ) -> Result<Response<Find{{Noun}}Response>, Status> {
        let code = decode::code(&request.into_inner().code)?;
        let {{noun}} = app::find_{{noun}}(&self.0, &code).await?;
        Ok(Response::new(Find{{Noun}}Response { {{noun}}: Some({{noun}}.into()) }))
    }

    async fn get_{{noun}}(
        &self,
        request: Request<Get{{Noun}}Request>,
    ) -> Result<Response<Get{{Noun}}Response>, Status> {
        let player = player(&request)?;
        let id = decode::{{noun}}_id(&request.into_inner().id)?;
        let {{noun}} = app::get_{{noun}}(&self.0, player.id, id).await?;
        Ok(Response::new(Get{{Noun}}Response { {{noun}}: Some({{noun}}.into()) }))
    }

    async fn list_{{nouns}}(
        &self,
        request: Request<List{{Nouns}}Request>,
    ) -> Result<Response<List{{Nouns}}Response>, Status> {
        let player = player(&request)?;
        let request = request.into_inner();
        let cursor = decode::cursor(&request.page_token, request.page_size)?;
        let ({{nouns}}, next_page_token) = app::list_{{nouns}}(&self.0, player.id, &cursor).await?;
        let {{nouns}} = {{nouns}}.into_iter().map(Into::into).collect();
        Ok(Response::new(List{{Nouns}}Response { {{nouns}}, next_page_token }))
    }

    async fn create_{{noun}}(
        &self,
        request: Request<Create{{Noun}}Request>,
    ) -> Result<Response<Create{{Noun}}Response>, Status> {
        let player = player(&request)?;
        let request = request.into_inner();
        let request_id = RequestId::parse(&request.request_id)?;
        let name = decode::name(&request.name)?;
        let {{noun}} = app::create_{{noun}}(&self.0, player.id, &request_id, name).await?;
        Ok(Response::new(Create{{Noun}}Response { {{noun}}: Some({{noun}}.into()) }))
    }
}
