//! The OAuth client of each provider.

use crate::config::SocialApps;
use crate::world::account::IdentityProvider;

/// Client id and secret.
pub(super) fn credentials(apps: &SocialApps, provider: IdentityProvider) -> (&str, &str) {
    match provider {
        IdentityProvider::Google => (&apps.google_client_id, &apps.google_client_secret),
        IdentityProvider::Facebook => (&apps.facebook_client_id, &apps.facebook_client_secret),
    }
}
