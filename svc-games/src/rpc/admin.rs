//! `playon.games.v1.CatalogueAdminService`.

use mesh::{auth::operator, content::Application};
use proto::{
    games::v1::{
        ApplyEventRequest, ApplyEventResponse, ApplyGameRequest, ApplyGameResponse,
        ApplyTvItemRequest, ApplyTvItemResponse, DeleteContentRequest, DeleteContentResponse,
        ListContentRequest, ListContentResponse,
        catalogue_admin_service_server::CatalogueAdminService,
    },
    types::v1::Change as WireChange,
};
use tonic::{Request, Response, Status};

use super::decode;
use crate::app::{self, Cx};

/// RPCs for operators.
pub(super) struct Admin(pub(super) Cx);

#[tonic::async_trait]
impl CatalogueAdminService for Admin {
    async fn apply_game(
        &self,
        request: Request<ApplyGameRequest>,
    ) -> Result<Response<ApplyGameResponse>, Status> {
        let operator = operator(&request)?;
        let request = request.into_inner();
        let by = Application { operator, dry_run: request.dry_run };
        let game = decode::game(request.game.unwrap_or_default())?;
        let rules = (!request.rules.is_empty()).then_some(&request.rules[..]);
        let change = app::apply_game(&self.0, &by, &game, rules).await?;
        Ok(Response::new(ApplyGameResponse { change: WireChange::from(change).into() }))
    }

    async fn apply_event(
        &self,
        request: Request<ApplyEventRequest>,
    ) -> Result<Response<ApplyEventResponse>, Status> {
        let operator = operator(&request)?;
        let request = request.into_inner();
        let by = Application { operator, dry_run: request.dry_run };
        let event = decode::event(request.event.unwrap_or_default())?;
        let change = app::apply_event(&self.0, &by, &event).await?;
        Ok(Response::new(ApplyEventResponse { change: WireChange::from(change).into() }))
    }

    async fn apply_tv_item(
        &self,
        request: Request<ApplyTvItemRequest>,
    ) -> Result<Response<ApplyTvItemResponse>, Status> {
        let operator = operator(&request)?;
        let request = request.into_inner();
        let by = Application { operator, dry_run: request.dry_run };
        let item = decode::tv_item(request.item.unwrap_or_default())?;
        let change = app::apply_tv_item(&self.0, &by, &item).await?;
        Ok(Response::new(ApplyTvItemResponse { change: WireChange::from(change).into() }))
    }

    async fn delete_content(
        &self,
        request: Request<DeleteContentRequest>,
    ) -> Result<Response<DeleteContentResponse>, Status> {
        let operator = operator(&request)?;
        let request = request.into_inner();
        let kind = decode::kind(request.kind())?;
        let key = decode::key(&request.key)?;
        let by = Application { operator, dry_run: request.dry_run };
        let change = app::delete_content(&self.0, &by, kind, &key).await?;
        Ok(Response::new(DeleteContentResponse { change: WireChange::from(change).into() }))
    }

    async fn list_content(
        &self,
        request: Request<ListContentRequest>,
    ) -> Result<Response<ListContentResponse>, Status> {
        operator(&request)?;
        Ok(Response::new(app::list_content(&self.0).await?.into()))
    }
}
