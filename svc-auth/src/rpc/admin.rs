//! `playon.auth.v1.PlayerAdminService`.

use mesh::auth::operator;
use proto::{
    auth::v1::{
        ApproveDeviceRequest, ApproveDeviceResponse, Device, ListDevicesRequest,
        ListDevicesResponse, player_admin_service_server::PlayerAdminService,
    },
    timestamp,
};
use tonic::{Request, Response, Status};
use types::PlayerId;

use super::operators::reason;
use crate::{
    app::{self, ApproveDevice, Cx},
    domain::{DeviceId, KnownDevice},
    error::{Error, invalid},
};

/// RPCs for operators.
pub(super) struct PlayerAdmin(pub(super) Cx);

#[tonic::async_trait]
impl PlayerAdminService for PlayerAdmin {
    async fn list_devices(
        &self,
        request: Request<ListDevicesRequest>,
    ) -> Result<Response<ListDevicesResponse>, Status> {
        operator(&request)?;
        let player = player_id(&request.into_inner().player_id)?;
        let devices = app::list_devices(&self.0, player).await?;
        Ok(Response::new(ListDevicesResponse {
            devices: devices.into_iter().map(Into::into).collect(),
        }))
    }

    async fn approve_device(
        &self,
        request: Request<ApproveDeviceRequest>,
    ) -> Result<Response<ApproveDeviceResponse>, Status> {
        let by = operator(&request)?;
        let command = request.into_inner().try_into()?;
        let changed = app::approve_device(&self.0, &by, command).await?;
        Ok(Response::new(ApproveDeviceResponse { changed }))
    }
}

impl TryFrom<ApproveDeviceRequest> for ApproveDevice {
    type Error = Error;

    fn try_from(wire: ApproveDeviceRequest) -> Result<Self, Error> {
        Ok(Self {
            player: player_id(&wire.player_id)?,
            device: DeviceId::parse(&wire.device_id)
                .map_err(|_| invalid("device_id", "FIELD_MALFORMED"))?,
            reason: reason(&wire.reason)?.to_owned(),
        })
    }
}

impl From<KnownDevice> for Device {
    fn from(known: KnownDevice) -> Self {
        Self {
            id: known.id.to_string(),
            first_seen_at: Some(timestamp(known.first_seen_at)),
            last_seen_at: Some(timestamp(known.last_seen_at)),
            money_from: known.money_from.map(timestamp),
        }
    }
}

fn player_id(text: &str) -> Result<PlayerId, Error> {
    PlayerId::parse(text).map_err(|_| invalid("player_id", "PLAYER_ID_MALFORMED"))
}
