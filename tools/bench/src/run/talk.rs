//! The scenarios of talk.

use std::sync::Arc;

use anyhow::{Context as _, Result};
use sqlx::postgres::PgConnectOptions;

use super::{Run, progress};
use crate::{
    cpu::CpuMeter,
    hello::YardstickServer,
    load::Load,
    players::Players,
    scenario::Scenario,
    talk::{
        fan_out::FanOut,
        history::{self, ReadInbox, ReadMessages, Size},
        rooms,
        send::{InsertMessages, SendMessages},
    },
};

/// Players who write to a room.
const SENDERS: usize = 8;
/// Players who read a room.
const READERS: usize = 50;
/// Players who read a large room.
const MANY_READERS: usize = 1_000;

impl Run<'_> {
    pub(super) async fn talk(&mut self, scenario: Scenario) -> Result<()> {
        match scenario {
            Scenario::InsertMessage => self.insert_message().await,
            Scenario::SendMessage => self.send_message().await,
            Scenario::Broadcast | Scenario::BroadcastRoom => self.broadcast(scenario).await,
            Scenario::FanOut | Scenario::FanOutRoom => self.fan_out(scenario).await,
            _ => self.read_history(scenario).await,
        }
    }

    async fn insert_message(&mut self) -> Result<()> {
        let scenario = Scenario::InsertMessage;
        let database = self.plan.bench_database_url.as_ref();
        let options = database.context("BENCH_DATABASE_URL is not set")?.options().clone();
        InsertMessages::prepare(&options).await?;
        progress(scenario.name())?;
        let connections = usize::from(self.plan.pgbench_clients);
        let load = Load { connections, ..Load::from(self.plan) };
        let caller = || InsertMessages::new(options.clone());
        let figures = load.drive(caller, &self.meter()).await?;
        self.add(scenario, figures);
        Ok(())
    }

    async fn send_message(&mut self) -> Result<()> {
        let players = self.members().await?;
        self.load(Scenario::SendMessage, SendMessages { players }).await?;
        self.report.add_write_ratio(Scenario::SendMessage, "svc-chat", Scenario::InsertMessage);
        Ok(())
    }

    async fn broadcast(&mut self, scenario: Scenario) -> Result<()> {
        let players = self.players().await?;
        progress(scenario.name())?;
        let server = YardstickServer::start("broadcast").await?;
        let meter = CpuMeter::new(server.process().as_slice());
        let fan_out = FanOut { is_complete: false, ..self.fan_out_of(scenario) };
        let delivered = fan_out.run(server.target, players, &meter).await?;
        self.report.add_messages(scenario, delivered.messages_per_second);
        self.report.add_rate(scenario, delivered.figures);
        Ok(())
    }

    async fn fan_out(&mut self, scenario: Scenario) -> Result<()> {
        let players = self.members().await?;
        progress(scenario.name())?;
        let fan_out = self.fan_out_of(scenario);
        let delivered = fan_out.run(self.plan.url, players, &self.meter()).await?;
        self.report.add_messages(scenario, delivered.messages_per_second);
        self.add(scenario, delivered.figures);
        Ok(())
    }

    fn fan_out_of(&self, scenario: Scenario) -> FanOut {
        let is_large = matches!(scenario, Scenario::FanOutRoom | Scenario::BroadcastRoom);
        FanOut {
            senders: SENDERS,
            readers: if is_large { MANY_READERS } else { READERS },
            warm_up: self.plan.warm_up,
            measure: self.plan.measure,
            is_complete: true,
        }
    }

    async fn read_history(&mut self, scenario: Scenario) -> Result<()> {
        let players = self.members().await?;
        let size = match scenario {
            Scenario::MessagesSmall | Scenario::InboxSmall => Size::Small,
            _ => Size::Large,
        };
        let mut conn = rooms::connect(&self.chat_options()?).await?;
        progress(&format!("filling messages and notifications up to {}", size.rows()))?;
        history::check(&players)?;
        history::fill(&mut conn, &players, size).await?;
        match scenario {
            Scenario::MessagesSmall | Scenario::Messages => {
                self.load(scenario, ReadMessages { players, rows: size.rows() }).await?;
            }
            _ => self.load(scenario, ReadInbox { players }).await?,
        }
        if let Some(small) = scenario.yardstick() {
            self.report.add_cpu_ratio(scenario, small);
        }
        Ok(())
    }

    /// The players, as members of all rooms.
    async fn members(&mut self) -> Result<Arc<Players>> {
        let players = self.players().await?;
        let mut conn = rooms::connect(&self.chat_options()?).await?;
        rooms::open(&mut conn, &players).await?;
        Ok(players)
    }

    fn chat_options(&self) -> Result<PgConnectOptions> {
        let superuser = self.plan.bench_database_url.as_ref();
        let chat = self.plan.chat_database_url.as_ref().context("CHAT_DATABASE_URL is not set")?;
        superuser.context("BENCH_DATABASE_URL is not set")?.options_for(chat)
    }
}
