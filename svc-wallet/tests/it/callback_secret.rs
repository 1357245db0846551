//! A callback's secret that the test knows, and the callbacks that are sent with it.

use serde_json::{Value, json};

use crate::world::{PHONE, World};

/// The secret of one payment's callback, and Daraja's ids of the payment.
pub(crate) struct CallbackSecret {
    pub(crate) text: String,
    pub(crate) merchant: String,
    pub(crate) checkout: String,
}

impl CallbackSecret {
    /// Replaces a payment's secret by one that the test knows.
    pub(crate) async fn replace(world: &World, payment: &str) -> Self {
        let text = "a-secret-that-the-test-knows".to_owned();
        let (merchant, checkout): (Option<String>, Option<String>) = sqlx::query_as(
            "UPDATE stk_push SET secret_hash = sha256($2::bytea) WHERE payment_id = $1::uuid
             RETURNING merchant_request_id, checkout_request_id",
        )
        .bind(payment)
        .bind(text.as_bytes())
        .fetch_one(&world.pool)
        .await
        .unwrap();
        Self {
            text,
            merchant: merchant.unwrap_or_default(),
            checkout: checkout.unwrap_or_default(),
        }
    }

    /// A callback with a result code.
    pub(crate) fn result(&self, code: u32) -> Value {
        json!({"Body": {"stkCallback": {
            "MerchantRequestID": self.merchant, "CheckoutRequestID": self.checkout,
            "ResultCode": code, "ResultDesc": "?",
        }}})
    }

    /// A callback that says "paid", with every item that Daraja sends.
    pub(crate) fn paid(&self, shillings: u32, receipt: &str) -> Value {
        self.paid_with(&[
            ("Amount", json!(shillings)),
            ("MpesaReceiptNumber", json!(receipt)),
            ("TransactionDate", json!(20_261_121_013_005_u64)),
            ("PhoneNumber", json!(PHONE)),
        ])
    }

    /// A callback that says "paid", with these items.
    pub(crate) fn paid_with(&self, items: &[(&str, Value)]) -> Value {
        let items: Vec<Value> =
            items.iter().map(|(name, value)| json!({"Name": name, "Value": value})).collect();
        let mut message = self.result(0);
        message["Body"]["stkCallback"]["CallbackMetadata"] = json!({"Item": items});
        message
    }
}
