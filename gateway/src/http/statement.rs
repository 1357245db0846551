//! A statement of a wallet, as a file.

use axum::{
    extract::State,
    http::header::{CONTENT_DISPOSITION, CONTENT_TYPE},
    response::{IntoResponse as _, Response},
};
use mesh::Fault;
use proto::wallet::v1::{GetStatementRequest, StatementFormat};

use super::{body::request, param::Query};
use crate::{Gateway, envelope::Refusal};

/// `GET /wallets/statement`
pub(crate) async fn read(
    State(gateway): State<Gateway>,
    Query(query): Query<Days>,
) -> Result<Response, Refusal> {
    let (format, media_type, ending) = match query.format.as_deref().unwrap_or("csv") {
        "csv" => (StatementFormat::Csv, "text/csv; charset=utf-8", "csv"),
        "pdf" => (StatementFormat::Pdf, "application/pdf", "pdf"),
        _ => return Err(Fault::invalid_field("format", "FORMAT_UNKNOWN").into()),
    };
    let request = GetStatementRequest {
        from: query.from.clone(),
        to: query.to.clone(),
        format: format.into(),
    };
    let document = gateway.upstreams().wallet().get_statement(request).await?.into_inner().document;
    // svc-wallet accepted both texts as days, so they are safe in a header.
    let name = format!("attachment; filename=\"playon-{}-{}.{ending}\"", query.from, query.to);
    Ok(([(CONTENT_TYPE, media_type.to_owned()), (CONTENT_DISPOSITION, name)], document)
        .into_response())
}

request! {
    /// The days of a statement.
    pub(crate) struct Days {
        /// The first day, as 2026-11-01.
        from: String = "from",
        /// The last day.
        to: String = "to",
        /// csv, which is the default, or pdf.
        format: Option<String> = "format",
    }
}
