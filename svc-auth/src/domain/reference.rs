//! Countries and currencies, as ISO defines them.

/// A country of ISO 3166-1.
#[derive(Debug, Clone)]
pub(crate) struct Country {
    pub(crate) alpha2: String,
    pub(crate) alpha3: String,
    pub(crate) name: String,
    /// The United Nations' continental region (M49).
    pub(crate) region: String,
}

/// A currency of ISO 4217.
#[derive(Debug, Clone)]
pub(crate) struct Currency {
    pub(crate) code: String,
    pub(crate) name: String,
    /// The country, where the code is a single country's.
    pub(crate) country_id: Option<String>,
}
