//! Devices of players who cannot confirm them by a mail.

use std::{io::Write, path::Path};

use clap::Subcommand;
use mesh::grpc::client::Outgoing;
use proto::{
    auth::v1::{
        ApproveDeviceRequest, Device, ListDevicesRequest,
        player_admin_service_client::PlayerAdminServiceClient,
    },
    from_timestamp,
};
use time::{OffsetDateTime, format_description::well_known::Rfc3339};
use tonic::Status;

use crate::service;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Print the devices that a player is known on, the one used last first.
    Devices {
        /// The player's id.
        player: String,
    },
    /// Let money leave a player's wallet by a device. Make sure first that it is in the hands of
    /// the account's owner: the number may be another person's by now.
    ApproveDevice {
        /// The player's id.
        player: String,
        /// The device, as devices prints it.
        device: String,
        /// The reason, for the audit.
        #[arg(long)]
        reason: String,
    },
}

/// Runs one command over a connection with the operator's certificate in a folder.
pub(crate) async fn run(
    command: Command,
    auth_url: &str,
    tls_dir: &Path,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let connection = service::connect("svc-auth", "--auth-url", auth_url, tls_dir)?;
    run_over(connection, command, out).await
}

async fn run_over(
    connection: Outgoing,
    command: Command,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let mut players = PlayerAdminServiceClient::new(connection);
    match command {
        Command::Devices { player } => {
            let request = ListDevicesRequest { player_id: player };
            let reply = players.list_devices(request).await.map_err(failure)?;
            for device in reply.into_inner().devices {
                writeln!(out, "{}", line(&device))?;
            }
        }
        Command::ApproveDevice { player, device, reason } => {
            let request =
                ApproveDeviceRequest { player_id: player, device_id: device.clone(), reason };
            let reply = players.approve_device(request).await.map_err(failure)?;
            let changed = if reply.into_inner().changed { "approved" } else { "unchanged" };
            writeln!(out, "{changed:<9} device {device}")?;
        }
    }
    Ok(())
}

/// A device in one line.
fn line(device: &Device) -> String {
    let at = |at, field| from_timestamp(at, field).map(text).unwrap_or_default();
    let money = match device.money_from {
        from @ Some(_) => format!("money leaves from {}", at(from, "money_from")),
        None => "not confirmed".to_owned(),
    };
    let first = at(device.first_seen_at, "first_seen_at");
    let last = at(device.last_seen_at, "last_seen_at");
    format!("{}  first seen {first}, last seen {last}, {money}", device.id)
}

fn text(at: OffsetDateTime) -> String {
    at.format(&Rfc3339).unwrap_or_default()
}

fn failure(status: Status) -> anyhow::Error {
    service::failure("svc-auth", "--auth-url", &status)
}

#[cfg(test)]
mod tests {
    use proto::timestamp;
    use time::Duration;

    use super::*;

    #[test]
    fn a_line_says_from_when_money_leaves() {
        let at = |seconds| Some(timestamp(OffsetDateTime::UNIX_EPOCH + Duration::seconds(seconds)));
        let device = Device {
            id: "d".to_owned(),
            first_seen_at: at(0),
            last_seen_at: at(60),
            money_from: None,
        };
        let seen = "d  first seen 1970-01-01T00:00:00Z, last seen 1970-01-01T00:01:00Z";
        assert_eq!(line(&device), format!("{seen}, not confirmed"));
        let confirmed = Device { money_from: at(0), ..device };
        assert_eq!(line(&confirmed), format!("{seen}, money leaves from 1970-01-01T00:00:00Z"));
    }
}
