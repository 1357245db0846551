//! gRPC health on the port of the probes, for the orchestrator's gRPC probes, which cannot
//! use TLS.

use futures_util::stream;
use tonic::{Request, Response, Status};
use tonic_health::pb::{
    HealthCheckRequest, HealthCheckResponse,
    health_check_response::ServingStatus,
    health_server::{Health, HealthServer},
};

use super::readiness::Probes;

/// Longest request, in bytes: it has the name of a service.
const REQUEST_LIMIT: usize = 1024;
/// The service that serves while the process runs, whatever its database does.
const LIVENESS: &str = "liveness";

pub(super) fn service(probes: Probes) -> HealthServer<impl Health> {
    HealthServer::new(ProbeHealth(probes)).max_decoding_message_size(REQUEST_LIMIT)
}

struct ProbeHealth(Probes);

#[tonic::async_trait]
impl Health for ProbeHealth {
    async fn check(
        &self,
        request: Request<HealthCheckRequest>,
    ) -> Result<Response<HealthCheckResponse>, Status> {
        let serving = match request.get_ref().service.as_str() {
            "" => self.0.are_ready().await,
            LIVENESS => true,
            _ => return Err(Status::not_found("not a service of this port")),
        };
        let status = if serving { ServingStatus::Serving } else { ServingStatus::NotServing };
        Ok(Response::new(HealthCheckResponse { status: status.into() }))
    }

    type WatchStream = stream::Empty<Result<HealthCheckResponse, Status>>;

    /// The health protocol allows this; probes poll.
    async fn watch(
        &self,
        _: Request<HealthCheckRequest>,
    ) -> Result<Response<Self::WatchStream>, Status> {
        Err(Status::unimplemented("poll Check"))
    }
}
