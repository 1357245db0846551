import * as z from "zod/mini";
import { Country as country } from "@/gen/api/country";
import { Currency as currency } from "@/gen/api/currency";
import { asGuest } from "@/lib/http/client";
import { parsePayload } from "@/lib/http/wire";

export type Country = z.infer<typeof country>;
export type Currency = z.infer<typeof currency>;

export async function fetchCountries(): Promise<Country[]> {
  return parsePayload(z.array(country), await asGuest("/countries/list"));
}

export async function fetchCurrencies(): Promise<Currency[]> {
  return parsePayload(z.array(currency), await asGuest("/currencies/list"));
}
