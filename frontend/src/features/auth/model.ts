import * as z from "zod/mini";
import { t } from "@/lib/i18n/i18n";

export type Mode = "signIn" | "signUp";

const LEAST_PASSWORD = 6;

const email = () =>
  z
    .string()
    .check(
      z.trim(),
      z.minLength(1, { error: t("auth.email.required"), abort: true }),
      z.email(t("auth.email.invalid")),
    );

export function isEmail(text: string): boolean {
  return z.safeParse(email(), text).success;
}

/** The form of one mode. A short password is only a matter of a new account: an old one is the server's to judge. */
export function credentialsSchema(mode: Mode) {
  const password =
    mode === "signUp"
      ? z
          .string()
          .check(
            z.minLength(1, { error: t("auth.password.required"), abort: true }),
            z.minLength(LEAST_PASSWORD, t("auth.password.weak")),
          )
      : z.string().check(z.minLength(1, t("auth.password.required")));
  return z.object({ email: email(), password });
}

export interface Credentials {
  readonly email: string;
  readonly password: string;
}
