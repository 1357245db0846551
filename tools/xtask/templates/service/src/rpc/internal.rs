//! `playon.{{name}}.v1.{{Name}}InternalService`.

use proto::{{name}}::v1::{
    BatchGet{{Nouns}}Request, BatchGet{{Nouns}}Response,
    {{name}}_internal_service_server::{{Name}}InternalService,
};
use tonic::{Request, Response, Status};

use super::decode;
use crate::app::{self, Cx};

/// RPCs for services of the mesh.
pub(super) struct Internal(pub(super) Cx);

#[tonic::async_trait]
impl {{Name}}InternalService for Internal {
    async fn batch_get_{{nouns}}(
        &self,
        request: Request<BatchGet{{Nouns}}Request>,
    ) -> Result<Response<BatchGet{{Nouns}}Response>, Status> {
        let ids = decode::{{noun}}_ids(&request.into_inner().ids)?;
        let {{nouns}} = app::batch_get_{{nouns}}(&self.0, &ids).await?;
        let {{nouns}} = {{nouns}}.into_iter().map(Into::into).collect();
        Ok(Response::new(BatchGet{{Nouns}}Response { {{nouns}} }))
    }
}
