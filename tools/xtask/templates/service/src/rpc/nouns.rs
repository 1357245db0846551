//! `playon.{{name}}.v1.{{Name}}Service`.

use proto::{{name}}::v1::{
    Get{{Noun}}Request, Get{{Noun}}Response, List{{Nouns}}Request, List{{Nouns}}Response,
    {{name}}_service_server::{{Name}}Service,
};
use tonic::{Request, Response, Status};

use crate::{
    app::{self, Cx},
    domain::{{Noun}}Id,
    error::{Error, Refused},
};

/// What anyone may ask.
pub(super) struct {{Nouns}}(pub(super) Cx);

#[tonic::async_trait]
impl {{Name}}Service for {{Nouns}} {
    async fn list_{{nouns}}(
        &self,
        _: Request<List{{Nouns}}Request>,
    ) -> Result<Response<List{{Nouns}}Response>, Status> {
        let {{nouns}} = app::list_{{nouns}}(&self.0).await?;
        let {{nouns}} = {{nouns}}.into_iter().map(Into::into).collect();
        Ok(Response::new(List{{Nouns}}Response { {{nouns}} }))
    }

    async fn get_{{noun}}(
        &self,
        request: Request<Get{{Noun}}Request>,
    ) -> Result<Response<Get{{Noun}}Response>, Status> {
        // A text that is no id names nothing.
        let id = {{Noun}}Id::parse(&request.into_inner().id)
            .map_err(|_| Error::from(Refused::{{Noun}}NotFound))?;
        let {{noun}} = app::get_{{noun}}(&self.0, id).await?;
        Ok(Response::new(Get{{Noun}}Response { {{noun}}: Some({{noun}}.into()) }))
    }
}
