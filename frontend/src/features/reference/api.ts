import * as z from "zod/mini";
import { asGuest } from "@/lib/http/client";
import { parsePayload } from "@/lib/http/wire";

const country = z.object({
  name: z.string(),
  alpha2Code: z.string(),
  alpha3Code: z.string(),
  region: z.string(),
});
export type Country = z.infer<typeof country>;

const currency = z.object({ code: z.string(), name: z.string() });
export type Currency = z.infer<typeof currency>;

export async function fetchCountries(): Promise<Country[]> {
  return parsePayload(z.array(country), await asGuest("/countries/list"));
}

export async function fetchCurrencies(): Promise<Currency[]> {
  return parsePayload(z.array(currency), await asGuest("/currencies/list"));
}
