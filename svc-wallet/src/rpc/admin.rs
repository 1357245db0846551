//! `WalletAdminService`: the content that operators publish.

use mesh::{auth::operator, content::Application};
use proto::{
    types::v1::Change as WireChange,
    wallet::v1::{
        ApplyPaymentMethodRequest, ApplyPaymentMethodResponse, ApplySubscriptionPackageRequest,
        ApplySubscriptionPackageResponse, DeleteWalletContentRequest, DeleteWalletContentResponse,
        ListWalletContentRequest, ListWalletContentResponse,
        wallet_admin_service_server::WalletAdminService,
    },
};
use tonic::{Request, Response, Status};

use super::{decode_content as decode, encode};
use crate::app::{self, Cx};

pub(super) struct Admin(pub(super) Cx);

#[tonic::async_trait]
impl WalletAdminService for Admin {
    async fn apply_subscription_package(
        &self,
        request: Request<ApplySubscriptionPackageRequest>,
    ) -> Result<Response<ApplySubscriptionPackageResponse>, Status> {
        let operator = operator(&request)?;
        let request = request.into_inner();
        let by = Application { operator, dry_run: request.dry_run };
        let package = decode::package(request.package.unwrap_or_default())?;
        let change = WireChange::from(app::apply_package(&self.0, &by, &package).await?).into();
        Ok(Response::new(ApplySubscriptionPackageResponse { change }))
    }

    async fn apply_payment_method(
        &self,
        request: Request<ApplyPaymentMethodRequest>,
    ) -> Result<Response<ApplyPaymentMethodResponse>, Status> {
        let operator = operator(&request)?;
        let request = request.into_inner();
        let by = Application { operator, dry_run: request.dry_run };
        let method = decode::method(request.method.unwrap_or_default())?;
        let change = WireChange::from(app::apply_method(&self.0, &by, &method).await?).into();
        Ok(Response::new(ApplyPaymentMethodResponse { change }))
    }

    async fn delete_wallet_content(
        &self,
        request: Request<DeleteWalletContentRequest>,
    ) -> Result<Response<DeleteWalletContentResponse>, Status> {
        let operator = operator(&request)?;
        let request = request.into_inner();
        let package = decode::removable(request.kind(), &request.key)?;
        let by = Application { operator, dry_run: request.dry_run };
        let change = WireChange::from(app::delete_package(&self.0, &by, package).await?).into();
        Ok(Response::new(DeleteWalletContentResponse { change }))
    }

    async fn list_wallet_content(
        &self,
        request: Request<ListWalletContentRequest>,
    ) -> Result<Response<ListWalletContentResponse>, Status> {
        operator(&request)?;
        Ok(Response::new(encode::content(app::list_content(&self.0).await?)))
    }
}
