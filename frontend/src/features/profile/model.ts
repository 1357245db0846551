import * as z from "zod/mini";
import { formatDate } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import { type Player, REQUIRED_FIELDS } from "@/lib/session/player";

export const FIELDS = REQUIRED_FIELDS;
export type Field = (typeof FIELDS)[number];

/** The overlay that edits a field. */
export function editOf(field: Field): string {
  return `edit/${field}`;
}

/** The first detail that is missing, besides one that is being saved. */
export function firstMissing(player: Player, saved?: Field): Field | undefined {
  return FIELDS.find((field) => field !== saved && player[field] === null);
}

/** Values that are chosen on a picker screen instead of a dialog. */
export type Preference = "currencyId" | "countryId";

export function labelOfPreference(preference: Preference): string {
  return t(preference === "currencyId" ? "picker.currency.title" : "picker.country.title");
}

export const GENDERS = ["MALE", "FEMALE", "OTHER"] as const;
type Gender = (typeof GENDERS)[number];
const ADULT = 18;
export const MAX_NAME_LENGTH = 80;
/** The server's rule. Capital letters are converted to lower case before the check. */
const USERNAME = /^[a-z0-9_.]{3,20}$/;

export function labelOf(field: Field): string {
  return t(`profile.${field}`);
}

/** The placeholder of a field without a value. */
export function placeholderOf(field: Field): string {
  return field === "phone" ? t("profile.unsetNumber") : t("profile.unset");
}

function isGender(value: string): value is Gender {
  return GENDERS.some((gender) => gender === value);
}

/** A value as the profile screen shows it. */
export function displayOf(field: Field, value: string): string {
  if (field === "dob") return formatDate(new Date(`${value}T00:00`));
  if (field === "gender" && isGender(value)) return t(`profile.gender.${value}`);
  return value;
}

function required(field: Field) {
  return z.string().check(
    z.trim(),
    z.minLength(1, { error: t(`profile.${field}.required`), abort: true }),
    // A placeholder text counts as empty.
    z.refine((value) => value !== placeholderOf(field), {
      error: t(`profile.${field}.required`),
      abort: true,
    }),
  );
}

/** The birthday, as YYYY-MM-DD, of a player who turns 18 today. */
export function latestBirthday(today: Date): string {
  const born = new Date(Date.UTC(today.getFullYear() - ADULT, today.getMonth(), today.getDate()));
  return born.toISOString().slice(0, 10);
}

/** The validation of one field, run on Okay. */
export function schemaOf(field: Field, today: Date) {
  const value = required(field);
  switch (field) {
    case "email":
      return value.check(z.email(t("profile.email.invalid")));
    case "gender":
      return value.check(z.refine(isGender, t("profile.gender.allowed")));
    case "dob":
      return value.check(z.refine((dob) => dob <= latestBirthday(today), t("profile.dob.young")));
    case "username":
      return value.check(z.toLowerCase(), z.regex(USERNAME, t("profile.username.invalid")));
    case "name":
    case "phone":
      return value;
  }
}
