//! The names of fields in refusals, against those of the request.

use gateway::routes::{ROUTES, RateClass, Upstream};
use mesh::Fault;

use crate::{
    routes::{example, query},
    world::{World, read},
};

/// Routes that answer fields' refusals in another way: a redirect or a page.
const REDIRECTS: &str = "/api/auth/oauth/{provider}/";

#[tokio::test]
async fn a_refused_field_has_the_name_that_the_request_has_in_json() {
    let world = World::new().await;
    let mut renamed = Vec::new();
    // The gateway itself does not rename: it refuses fields by the names that they have in JSON.
    let of_services = |upstream| upstream != Upstream::Local;
    let routes = ROUTES.iter().filter(|route| of_services(route.upstream));
    for route in routes.filter(|route| route.class != RateClass::Live) {
        let names: Vec<_> = route.field_names().pairs().collect();
        if names.is_empty() || route.path.starts_with(REDIRECTS) {
            continue;
        }
        for (contract, json) in names {
            for sent in [contract, json] {
                world.stub.refuse(Fault::invalid_field(sent, "FIELD_MALFORMED"));
                let path = format!("{}{}", example(route.path), query(route.path));
                let call = world.send_signed_in(
                    route.method.as_str(),
                    &path,
                    r#"{"amount":1,"points":1,"seq":1,"index":1}"#,
                );
                let answer = read(call.header("idempotency-key", "attempt-1")).await;
                assert_eq!(answer.refusal(), (400, "INVALID_ARGUMENT".into()), "{path}");
                assert_eq!(answer.wrong_fields(), [json], "{path}: {sent}");
            }
            if contract != json {
                renamed.push(format!("{} {contract}", route.path));
            }
        }
    }
    assert!(renamed.contains(&"/api/payments/top-up beneficiary_id".to_owned()), "{renamed:?}");
    assert!(renamed.contains(&"/api/wallets/list page_size".to_owned()), "{renamed:?}");
}
