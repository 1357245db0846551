/** "Kenya" for KE, from the browser's Intl data, so that showing one name does not load the whole list. */
export function countryName(alpha2Code: string): string {
  try {
    return new Intl.DisplayNames("en-GB", { type: "region" }).of(alpha2Code) ?? alpha2Code;
  } catch {
    return alpha2Code;
  }
}
