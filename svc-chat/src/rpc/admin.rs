//! `playon.chat.v1.ChatAdminService`.

use mesh::{auth::operator, content::Application};
use proto::{
    chat::v1::{
        ApplyChatRoomRequest, ApplyChatRoomResponse, ApplyContactSettingRequest,
        ApplyContactSettingResponse, DeleteChatContentRequest, DeleteChatContentResponse,
        ListChatContentRequest, ListChatContentResponse,
        chat_admin_service_server::ChatAdminService,
    },
    types::v1::Change as WireChange,
};
use tonic::{Request, Response, Status};

use super::decode;
use crate::app::{self, Cx};

/// RPCs for operators.
pub(super) struct Admin(pub(super) Cx);

#[tonic::async_trait]
impl ChatAdminService for Admin {
    async fn apply_chat_room(
        &self,
        request: Request<ApplyChatRoomRequest>,
    ) -> Result<Response<ApplyChatRoomResponse>, Status> {
        let operator = operator(&request)?;
        let request = request.into_inner();
        let by = Application { operator, dry_run: request.dry_run };
        let room = decode::room(request.room.unwrap_or_default())?;
        let change = app::apply_chat_room(&self.0, &by, &room).await?;
        Ok(Response::new(ApplyChatRoomResponse { change: WireChange::from(change).into() }))
    }

    async fn apply_contact_setting(
        &self,
        request: Request<ApplyContactSettingRequest>,
    ) -> Result<Response<ApplyContactSettingResponse>, Status> {
        let operator = operator(&request)?;
        let request = request.into_inner();
        let by = Application { operator, dry_run: request.dry_run };
        let setting = decode::contact_setting(request.setting.unwrap_or_default())?;
        let change = app::apply_contact_setting(&self.0, &by, &setting).await?;
        Ok(Response::new(ApplyContactSettingResponse { change: WireChange::from(change).into() }))
    }

    async fn delete_chat_content(
        &self,
        request: Request<DeleteChatContentRequest>,
    ) -> Result<Response<DeleteChatContentResponse>, Status> {
        let operator = operator(&request)?;
        let request = request.into_inner();
        let content = decode::content_ref(request.kind(), &request.key)?;
        let by = Application { operator, dry_run: request.dry_run };
        let change = app::delete_content(&self.0, &by, &content).await?;
        Ok(Response::new(DeleteChatContentResponse { change: WireChange::from(change).into() }))
    }

    async fn list_chat_content(
        &self,
        request: Request<ListChatContentRequest>,
    ) -> Result<Response<ListChatContentResponse>, Status> {
        operator(&request)?;
        Ok(Response::new(app::list_content(&self.0).await?.into()))
    }
}
