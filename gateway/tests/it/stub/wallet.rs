//! The stub of svc-wallet.

use std::time::Duration;

use proto::{
    timestamp,
    types::v1::{Money, PaymentStatus},
    wallet::v1::{
        self as wallet, callback_service_server::CallbackService,
        payout_service_server::PayoutService, spending_service_server::SpendingService,
        subscription_service_server::SubscriptionService, wallet_service_server::WalletService,
    },
};
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Request, Response, Status};
use types::Text;

use super::{AT, Stub, Update};

fn payment() -> wallet::Payment {
    wallet::Payment {
        payment_id: "p-1".into(),
        status: PaymentStatus::InProgress.into(),
        text: Some(Text::new("PAYMENT_PROCESSING").into()),
        r#type: wallet::PaymentType::Topup.into(),
        amount: Some(Money { cents: 25_050 }),
        fee: Some(Money { cents: 0 }),
        tx_gw_session_url: None,
        held_until: None,
    }
}

fn transactions() -> Vec<wallet::Transaction> {
    let topped_up = wallet::Transaction {
        id: "x-1".into(),
        user_id: "u-1".into(),
        transaction_desc: wallet::TransactionDesc::TopupWallet.into(),
        kind: wallet::TransactionKind::TopUp.into(),
        amount: Some(Money { cents: 25_050 }),
        direction: wallet::Direction::Credit.into(),
        balance_after: Some(Money { cents: 25_050 }),
        detail: None,
        created_at: Some(timestamp(AT)),
        updated_at: Some(timestamp(AT)),
        payment: Some(wallet::Payin {
            successful: true,
            mpesa_transaction_date: Some(timestamp(AT)),
            receipt: Some("SKL1".into()),
        }),
        payout: None,
        cursor: "7".into(),
        counterparty_id: None,
        tax: Some(Money { cents: 1_250 }),
    };
    let withdrawn = wallet::Transaction {
        id: "x-2".into(),
        transaction_desc: wallet::TransactionDesc::WithdrawWallet.into(),
        kind: wallet::TransactionKind::Withdrawal.into(),
        direction: wallet::Direction::Debit.into(),
        balance_after: None,
        tax: None,
        payment: None,
        payout: Some(wallet::Payout {
            successful: false,
            transaction_completed_date_time: None,
            receipt: None,
        }),
        ..topped_up.clone()
    };
    vec![topped_up, withdrawn]
}

#[tonic::async_trait]
impl WalletService for Stub {
    async fn list_payment_methods(
        &self,
        request: Request<wallet::ListPaymentMethodsRequest>,
    ) -> Result<Response<wallet::ListPaymentMethodsResponse>, Status> {
        let payment_methods = vec![wallet::PaymentMethod {
            id: "m-1".into(),
            name: "M-Pesa".into(),
            code: "MPESA".into(),
        }];
        let reply = wallet::ListPaymentMethodsResponse { payment_methods };
        self.answer(request, reply).await
    }

    async fn get_balance(
        &self,
        request: Request<wallet::GetBalanceRequest>,
    ) -> Result<Response<wallet::GetBalanceResponse>, Status> {
        let reply = wallet::GetBalanceResponse {
            balance: Some(Money { cents: 125_050 }),
            available: Some(Money { cents: 120_007 }),
            top_up_tax: 250,
        };
        self.answer(request, reply).await
    }

    async fn list_transactions(
        &self,
        request: Request<wallet::ListTransactionsRequest>,
    ) -> Result<Response<wallet::ListTransactionsResponse>, Status> {
        let transactions = transactions();
        self.answer(request, wallet::ListTransactionsResponse { transactions }).await
    }

    async fn get_transaction(
        &self,
        request: Request<wallet::GetTransactionRequest>,
    ) -> Result<Response<wallet::GetTransactionResponse>, Status> {
        let transaction = transactions().pop();
        self.answer(request, wallet::GetTransactionResponse { transaction }).await
    }

    async fn get_statement(
        &self,
        request: Request<wallet::GetStatementRequest>,
    ) -> Result<Response<wallet::GetStatementResponse>, Status> {
        let document = b"date,amount".to_vec();
        self.answer(request, wallet::GetStatementResponse { document }).await
    }

    async fn top_up(
        &self,
        request: Request<wallet::TopUpRequest>,
    ) -> Result<Response<wallet::TopUpResponse>, Status> {
        let payment = Some(payment());
        self.answer(request, wallet::TopUpResponse { payment }).await
    }

    async fn get_payment(
        &self,
        request: Request<wallet::GetPaymentRequest>,
    ) -> Result<Response<wallet::GetPaymentResponse>, Status> {
        let payment = Some(payment());
        self.answer(request, wallet::GetPaymentResponse { payment }).await
    }

    type WatchPaymentsStream = ReceiverStream<Update>;

    async fn watch_payments(
        &self,
        request: Request<wallet::WatchPaymentsRequest>,
    ) -> Result<Response<Self::WatchPaymentsStream>, Status> {
        self.receive(request).await?;
        let next = self.0.lock().unwrap().watches.pop_front();
        let updates = next.unwrap_or_else(|| Err(Status::unavailable("no stream is prepared")))?;
        Ok(Response::new(ReceiverStream::new(updates)))
    }
}

#[tonic::async_trait]
impl CallbackService for Stub {
    async fn receive_callback(
        &self,
        request: Request<wallet::ReceiveCallbackRequest>,
    ) -> Result<Response<wallet::ReceiveCallbackResponse>, Status> {
        self.answer(request, wallet::ReceiveCallbackResponse {}).await
    }
}

#[tonic::async_trait]
impl PayoutService for Stub {
    async fn get_withdraw_charges(
        &self,
        request: Request<wallet::GetWithdrawChargesRequest>,
    ) -> Result<Response<wallet::GetWithdrawChargesResponse>, Status> {
        let fee = Some(Money { cents: 500 });
        let reply = wallet::GetWithdrawChargesResponse { fee, valid_until: None };
        self.answer(request, reply).await
    }

    async fn withdraw(
        &self,
        request: Request<wallet::WithdrawRequest>,
    ) -> Result<Response<wallet::WithdrawResponse>, Status> {
        let payment = Some(payment());
        self.answer(request, wallet::WithdrawResponse { payment }).await
    }
}

/// A week with a limit of KES 500, which becomes 800 an hour later.
fn week() -> wallet::PeriodSpending {
    let spending = |cents| wallet::Spending {
        spent: Some(Money { cents }),
        limit: Some(Money { cents: 50_000 }),
        change: Some(wallet::SpendingLimitChange {
            limit: Some(Money { cents: 80_000 }),
            begins_at: Some(timestamp(AT + Duration::from_hours(1))),
        }),
    };
    wallet::PeriodSpending {
        period: wallet::SpendingPeriod::Week.into(),
        since: Some(timestamp(AT)),
        money_in: Some(spending(20_000)),
        packages: Some(wallet::Spending { limit: None, change: None, ..spending(3_000) }),
        won: Some(Money { cents: 10_000 }),
    }
}

#[tonic::async_trait]
impl SpendingService for Stub {
    async fn get_spending(
        &self,
        request: Request<wallet::GetSpendingRequest>,
    ) -> Result<Response<wallet::GetSpendingResponse>, Status> {
        self.answer(request, wallet::GetSpendingResponse { periods: vec![week()] }).await
    }

    async fn set_spending_limit(
        &self,
        request: Request<wallet::SetSpendingLimitRequest>,
    ) -> Result<Response<wallet::SetSpendingLimitResponse>, Status> {
        self.answer(request, wallet::SetSpendingLimitResponse { periods: vec![week()] }).await
    }
}

#[tonic::async_trait]
impl SubscriptionService for Stub {
    async fn list_subscription_packages(
        &self,
        request: Request<wallet::ListSubscriptionPackagesRequest>,
    ) -> Result<Response<wallet::ListSubscriptionPackagesResponse>, Status> {
        let packages = vec![wallet::SubscriptionPackage {
            id: "p-1".into(),
            name: "Bronze".into(),
            description: "All games for a day.".into(),
            amount: Some(Money { cents: 2_000 }),
            tier: wallet::Tier::Bronze.into(),
            popular: true,
        }];
        self.answer(request, wallet::ListSubscriptionPackagesResponse { packages }).await
    }

    async fn list_subscriptions(
        &self,
        request: Request<wallet::ListSubscriptionsRequest>,
    ) -> Result<Response<wallet::ListSubscriptionsResponse>, Status> {
        let subscriptions = vec![wallet::Subscription {
            id: "s-1".into(),
            package_id: "p-1".into(),
            package_name: "Bronze".into(),
            starts_at: Some(timestamp(AT)),
            expires_at: Some(timestamp(AT + Duration::from_hours(24))),
            expired: false,
        }];
        self.answer(request, wallet::ListSubscriptionsResponse { subscriptions }).await
    }

    async fn subscribe(
        &self,
        request: Request<wallet::SubscribeRequest>,
    ) -> Result<Response<wallet::SubscribeResponse>, Status> {
        let payment = Some(payment());
        self.answer(request, wallet::SubscribeResponse { payment }).await
    }
}
