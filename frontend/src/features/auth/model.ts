import * as z from "zod/mini";
import { t } from "@/lib/i18n/i18n";

export type Mode = "signIn" | "signUp";

const LEAST_PASSWORD = 6;
const MOST_PASSWORD = 128;

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

/** The validation error of an address for a mail; undefined when it is valid. */
export function mailError(text: string): string | undefined {
  if (text.trim() === "") return t("auth.email.please");
  return isEmail(text) ? undefined : t("auth.email.invalid");
}

function knownPassword() {
  return z.string().check(z.minLength(1, t("auth.password.required")));
}

function chosenPassword() {
  return z
    .string()
    .check(
      z.minLength(1, { error: t("auth.password.required"), abort: true }),
      z.minLength(LEAST_PASSWORD, t("auth.password.weak")),
      z.maxLength(MOST_PASSWORD, t("auth.password.long", { most: MOST_PASSWORD })),
    );
}

/** The form of one mode. Only a new password must have six characters; the server checks existing ones. */
export function credentialsSchema(mode: Mode) {
  return z.object({ email: email(), password: mode === "signUp" ? chosenPassword() : knownPassword() });
}

const twice = {
  error: () => t("password.confirm.different"),
  path: ["confirmPassword"],
  // Compare as soon as both fields are filled in, even when other fields are still invalid.
  when: () => true,
};

function bothAlike({ newPassword, confirmPassword }: NewPassword): boolean {
  return !confirmPassword || newPassword === confirmPassword;
}

function typedAgain() {
  return z.string().check(z.minLength(1, t("password.confirm.required")));
}

/** A password set with a reset mail's link. */
export function newPasswordSchema() {
  return z
    .object({ newPassword: chosenPassword(), confirmPassword: typedAgain() })
    .check(z.refine(bothAlike, twice));
}

/** A password changed by a player who knows the old one. */
export function passwordChangeSchema() {
  return z
    .object({
      email: z.string().check(
        z.trim(),
        z.refine((text) => mailError(text) === undefined, {
          error: ({ input }) => mailError(String(input)) ?? "",
        }),
      ),
      oldPassword: knownPassword(),
      newPassword: chosenPassword(),
      confirmPassword: typedAgain(),
    })
    .check(z.refine(bothAlike, twice));
}

export interface NewPassword {
  readonly newPassword: string;
  readonly confirmPassword: string;
}

export interface PasswordChangeForm extends NewPassword {
  readonly email: string;
  readonly oldPassword: string;
}

export interface Credentials {
  readonly email: string;
  readonly password: string;
}
