/** A few countries and currencies in the shape of the gateway's lists. */
export const countries = [
  { id: "CI", name: "Côte d’Ivoire", alpha2Code: "CI", alpha3Code: "CIV", region: "Africa" },
  { id: "KE", name: "Kenya", alpha2Code: "KE", alpha3Code: "KEN", region: "Africa" },
  { id: "UG", name: "Uganda", alpha2Code: "UG", alpha3Code: "UGA", region: "Africa" },
  { id: "AX", name: "Åland Islands", alpha2Code: "AX", alpha3Code: "ALA", region: "Europe" },
  { id: "GB", name: "United Kingdom", alpha2Code: "GB", alpha3Code: "GBR", region: "Europe" },
  { id: "GW", name: "Guinea-Bissau", alpha2Code: "GW", alpha3Code: "GNB", region: "Africa" },
];

export const currencies = [
  { id: "EUR", code: "EUR", name: "Euro", countryId: null },
  { id: "KES", code: "KES", name: "Kenyan Shilling", countryId: "KE" },
  { id: "UGX", code: "UGX", name: "Uganda Shilling", countryId: "UG" },
];
