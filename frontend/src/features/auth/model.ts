import * as z from "zod/mini";
import { t } from "@/lib/i18n/i18n";

export type Mode = "signIn" | "signUp";

const MIN_PASSWORD_LENGTH = 6;
const MAX_PASSWORD_LENGTH = 128;

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

/** The validation error of an email address; undefined when it is valid. */
export function mailError(text: string): string | undefined {
  if (text.trim() === "") return t("auth.email.missing");
  return isEmail(text) ? undefined : t("auth.email.invalid");
}

function existingPassword() {
  return z.string().check(z.minLength(1, t("auth.password.required")));
}

function newPasswordField() {
  return z
    .string()
    .check(
      z.minLength(1, { error: t("auth.password.required"), abort: true }),
      z.minLength(MIN_PASSWORD_LENGTH, t("auth.password.weak")),
      z.maxLength(MAX_PASSWORD_LENGTH, t("auth.password.long", { max: MAX_PASSWORD_LENGTH })),
    );
}

/** The form of one mode. Only a new password must have six characters; the server checks existing ones. */
export function credentialsSchema(mode: Mode) {
  return z.object({ email: email(), password: mode === "signUp" ? newPasswordField() : existingPassword() });
}

const mismatch = {
  error: () => t("password.confirm.different"),
  path: ["confirmPassword"],
  // Compare as soon as both fields are filled in, even when other fields are still invalid.
  when: () => true,
};

function passwordsMatch({ newPassword, confirmPassword }: NewPassword): boolean {
  return !confirmPassword || newPassword === confirmPassword;
}

function confirmationField() {
  return z.string().check(z.minLength(1, t("password.confirm.required")));
}

/** A password set with a reset mail's link. */
export function newPasswordSchema() {
  return z
    .object({ newPassword: newPasswordField(), confirmPassword: confirmationField() })
    .check(z.refine(passwordsMatch, mismatch));
}

/** An address that a mail is sent to. */
function mailField() {
  return z.string().check(
    z.trim(),
    z.refine((text) => mailError(text) === undefined, {
      error: ({ input }) => mailError(String(input)) ?? "",
    }),
  );
}

/** The request for another reset mail. */
export function resetMailSchema() {
  return z.object({ email: mailField() });
}

/** A password changed by a player who knows the old one. */
export function passwordChangeSchema() {
  return z
    .object({
      email: mailField(),
      oldPassword: existingPassword(),
      newPassword: newPasswordField(),
      confirmPassword: confirmationField(),
    })
    .check(z.refine(passwordsMatch, mismatch));
}

/** The first step of the phone mode. The server knows which numbers are valid. */
export function phoneSchema() {
  return z.object({ phone: z.string().check(z.trim(), z.minLength(1, t("profile.phone.required"))) });
}

/** Digits of a code, unless the server says otherwise. */
export const CODE_LENGTH = 6;

/** A code of so many digits. */
export function codeSchema(digits: number) {
  return z.object({ code: z.string().check(z.minLength(digits, t("auth.code.short", { digits }))) });
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
