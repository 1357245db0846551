//! The content that operators publish.

use mesh::grpc::client::Outgoing;
use proto::{
    types::v1::Change,
    wallet::v1::{
        ApplyPaymentMethodRequest, ApplySubscriptionPackageRequest, DeleteWalletContentRequest,
        ListPaymentMethodsRequest, ListWalletContentRequest, PaymentMethodManifest,
        SubscriptionPackageManifest, WalletContentKind,
        wallet_admin_service_client::WalletAdminServiceClient,
    },
};
use tonic::{Code, Status};
use tonic_types::StatusExt as _;
use types::Money;

use crate::world::{World, reason};

fn gold() -> SubscriptionPackageManifest {
    SubscriptionPackageManifest {
        key: "gold".to_owned(),
        name: "Gold".to_owned(),
        description: "The big awards are yours to win.".to_owned(),
        amount: Some(Money::from_shillings(50).into()),
        ..SubscriptionPackageManifest::default()
    }
}

fn mpesa() -> PaymentMethodManifest {
    PaymentMethodManifest {
        key: "mpesa".to_owned(),
        name: "M-Pesa".to_owned(),
        position: 1,
        enabled: true,
        ..PaymentMethodManifest::default()
    }
}

impl World {
    fn admin(&self) -> WalletAdminServiceClient<Outgoing> {
        WalletAdminServiceClient::new(self.connect("playonctl"))
    }

    async fn apply_package(
        &self,
        package: SubscriptionPackageManifest,
        dry_run: bool,
    ) -> Result<Change, Status> {
        let request = ApplySubscriptionPackageRequest { package: Some(package), dry_run };
        Ok(self.admin().apply_subscription_package(request).await?.into_inner().change())
    }

    async fn apply_method(&self, method: PaymentMethodManifest) -> Result<Change, Status> {
        let request = ApplyPaymentMethodRequest { method: Some(method), dry_run: false };
        Ok(self.admin().apply_payment_method(request).await?.into_inner().change())
    }

    async fn delete(&self, kind: WalletContentKind, key: &str) -> Result<Change, Status> {
        let request =
            DeleteWalletContentRequest { kind: kind.into(), key: key.to_owned(), dry_run: false };
        Ok(self.admin().delete_wallet_content(request).await?.into_inner().change())
    }

    /// The codes of the methods that players see.
    async fn listed_methods(&self) -> Vec<String> {
        let listed = self.client().list_payment_methods(ListPaymentMethodsRequest {}).await;
        let methods = listed.unwrap().into_inner().payment_methods.into_iter();
        methods.map(|method| method.code).collect()
    }

    /// Operator, key and change of each audited change.
    async fn changes(&self) -> Vec<(String, String, String)> {
        let query = "SELECT operator, key, change FROM content_change ORDER BY changed_at, id";
        sqlx::query_as(query).fetch_all(&self.pool).await.unwrap()
    }
}

fn field(refused: &Status) -> String {
    assert_eq!(
        (refused.code(), reason(refused).as_str()),
        (Code::InvalidArgument, "INVALID_CONTENT")
    );
    refused.get_details_bad_request().unwrap().field_violations.remove(0).field
}

#[tokio::test]
async fn a_package_is_created_changed_left_alone_and_removed() {
    let world = World::new().await;
    assert_eq!(world.apply_package(gold(), true).await.unwrap(), Change::Created);
    assert!(world.changes().await.is_empty(), "a dry run");
    assert_eq!(world.apply_package(gold(), false).await.unwrap(), Change::Created);
    assert_eq!(world.apply_package(gold(), false).await.unwrap(), Change::Unchanged);
    world.wait(std::time::Duration::from_secs(1)).await;
    let dearer =
        SubscriptionPackageManifest { amount: Some(Money::from_shillings(60).into()), ..gold() };
    assert_eq!(world.apply_package(dearer.clone(), false).await.unwrap(), Change::Updated);

    let content = world.admin().list_wallet_content(ListWalletContentRequest {}).await;
    assert_eq!(content.unwrap().into_inner().packages, [dearer]);
    world.wait(std::time::Duration::from_secs(1)).await;
    let kind = WalletContentKind::SubscriptionPackage;
    assert_eq!(world.delete(kind, "gold").await.unwrap(), Change::Deleted);
    assert_eq!(world.delete(kind, "gold").await.unwrap(), Change::Unchanged);
    let change = |change: &str| ("playonctl".to_owned(), "gold".to_owned(), change.to_owned());
    assert_eq!(world.changes().await, ["Created", "Updated", "Deleted"].map(change));
    world.database.assert_append_only("content_change").await;
    world.finish().await;
}

#[tokio::test]
async fn a_method_that_is_switched_off_is_not_listed_and_pays_for_nothing_new() {
    let world = World::new().await;
    let player = world.player();
    let request = world.request(100, "before").await;
    let first = world.send(&player, request.clone()).await.unwrap();

    let off = PaymentMethodManifest { enabled: false, ..mpesa() };
    assert_eq!(world.apply_method(mpesa()).await.unwrap(), Change::Unchanged);
    assert_eq!(world.apply_method(off.clone()).await.unwrap(), Change::Updated);
    assert_eq!(world.apply_method(off).await.unwrap(), Change::Unchanged);

    assert!(!world.listed_methods().await.contains(&"MPESA".to_owned()));
    let again = world.send(&player, request.clone()).await.unwrap();
    assert_eq!(again.payment_id, first.payment_id, "a repeat has its first reply");
    let new = proto::wallet::v1::TopUpRequest { request_id: "after".to_owned(), ..request };
    let refused = world.send(&player, new).await.unwrap_err();
    assert_eq!(reason(&refused), "UNKNOWN_METHOD");

    assert_eq!(world.apply_method(mpesa()).await.unwrap(), Change::Updated);
    assert!(world.listed_methods().await.contains(&"MPESA".to_owned()));
    world.finish().await;
}

#[tokio::test]
async fn methods_are_listed_in_the_operators_order_and_under_their_names() {
    let world = World::new().await;
    let last = PaymentMethodManifest { name: "M-Pesa express".to_owned(), position: 9, ..mpesa() };
    assert_eq!(world.apply_method(last.clone()).await.unwrap(), Change::Updated);
    assert_eq!(
        world.listed_methods().await,
        ["CARD", "WALLET", "SAFARICOM_CREDIT", "PAYPAL", "MPESA"]
    );
    let content = world.admin().list_wallet_content(ListWalletContentRequest {}).await;
    let methods = content.unwrap().into_inner().methods;
    let keys: Vec<_> = methods.iter().map(|method| method.key.as_str()).collect();
    assert_eq!(keys, ["card", "mpesa", "paypal", "safaricom-credit", "wallet"]);
    assert_eq!(methods[1], last);
    world.finish().await;
}

#[tokio::test]
async fn invalid_content_names_its_field() {
    let world = World::new().await;
    let amount = |cents| Some(Money::from_cents(cents).into());
    for (package, expected) in [
        (SubscriptionPackageManifest { key: "tin".to_owned(), ..gold() }, "id"),
        (SubscriptionPackageManifest { name: "Silver".to_owned(), ..gold() }, "name"),
        (SubscriptionPackageManifest { description: String::new(), ..gold() }, "description"),
        (SubscriptionPackageManifest { amount: None, ..gold() }, "amount"),
        (SubscriptionPackageManifest { amount: amount(0), ..gold() }, "amount"),
        (SubscriptionPackageManifest { amount: amount(1_050), ..gold() }, "amount"),
    ] {
        assert_eq!(field(&world.apply_package(package, true).await.unwrap_err()), expected);
    }
    for (method, expected) in [
        (PaymentMethodManifest { key: "MPESA".to_owned(), ..mpesa() }, "id"),
        (PaymentMethodManifest { name: String::new(), ..mpesa() }, "name"),
        (PaymentMethodManifest { position: 0, ..mpesa() }, "position"),
        (PaymentMethodManifest { position: u32::MAX, ..mpesa() }, "position"),
    ] {
        assert_eq!(field(&world.apply_method(method).await.unwrap_err()), expected);
    }
    let kept = world.delete(WalletContentKind::PaymentMethod, "mpesa").await.unwrap_err();
    assert_eq!(field(&kept), "kind");
    assert!(world.changes().await.is_empty());
    world.finish().await;
}

#[tokio::test]
async fn only_operators_publish() {
    let world = World::new().await;
    for caller in ["gateway", "svc-tournament"] {
        let mut client = WalletAdminServiceClient::new(world.connect(caller));
        let refused = client.list_wallet_content(ListWalletContentRequest {}).await.unwrap_err();
        assert_eq!(refused.code(), Code::PermissionDenied, "{caller}");
    }
    world.finish().await;
}

#[tokio::test]
async fn packages_and_methods_are_read_in_the_language_of_the_call() {
    let world = World::new().await;
    let description_sw = "Zawadi kubwa ni zako.".to_owned();
    let package = SubscriptionPackageManifest { description_sw, ..gold() };
    world.apply_package(package.clone(), false).await.unwrap();
    let method = PaymentMethodManifest { name_sw: "Pesa ya M-Pesa".to_owned(), ..mpesa() };
    assert_eq!(world.apply_method(method.clone()).await.unwrap(), Change::Updated);
    assert_eq!(world.apply_method(method).await.unwrap(), Change::Unchanged);

    let texts = async || {
        let methods = world.client().list_payment_methods(ListPaymentMethodsRequest {}).await;
        let methods = methods.unwrap().into_inner().payment_methods;
        [world.packages().await[0].description.clone(), methods[0].name.clone()]
    };
    assert_eq!(texts().await, [package.description, "M-Pesa".to_owned()]);
    assert_eq!(
        testkit::in_swahili(texts()).await,
        [package.description_sw, "Pesa ya M-Pesa".to_owned()]
    );
    world.finish().await;
}
