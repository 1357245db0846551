/** Names from the browser's Intl data, so that showing one does not load the whole list. */
function nameOf(type: "region" | "currency", code: string): string {
  try {
    return new Intl.DisplayNames("en-GB", { type }).of(code) ?? code;
  } catch {
    return code;
  }
}

/** "Kenya" for KE. */
export function countryName(alpha2Code: string): string {
  return nameOf("region", alpha2Code);
}

/** "Kenyan Shilling (KES)" for KES. */
export function currencyName(code: string): string {
  const name = nameOf("currency", code);
  return name === code ? code : `${name} (${code})`;
}
