//! `playon.auth.v1.PictureService`.

use proto::auth::v1::{
    FindUnusedPicturesRequest, FindUnusedPicturesResponse, picture_service_server::PictureService,
};
use tonic::{Request, Response, Status};

use super::decode;
use crate::app::{self, Cx};

/// Profile pictures, for processes of the mesh.
pub(super) struct Pictures(pub(super) Cx);

#[tonic::async_trait]
impl PictureService for Pictures {
    async fn find_unused_pictures(
        &self,
        request: Request<FindUnusedPicturesRequest>,
    ) -> Result<Response<FindUnusedPicturesResponse>, Status> {
        let urls = decode::picture_urls(request.into_inner().urls)?;
        let urls = app::find_unused_pictures(&self.0, urls).await?;
        Ok(Response::new(FindUnusedPicturesResponse { urls }))
    }
}
