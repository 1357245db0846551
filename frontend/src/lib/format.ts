import { t } from "@/lib/i18n/i18n";
import { amounts, clockTimes, fullDates, relativeDays, shortDates, wholeNumbers } from "@/lib/i18n/intl";
import { currentLocale } from "@/lib/i18n/language";

const DAY_MS = 24 * 60 * 60_000;

/** "1,250.00" */
export function formatAmount(kes: number): string {
  return amounts().format(kes);
}

/** "KES 1,250.00" */
export function formatKes(kes: number): string {
  return t("money.kes", { amount: formatAmount(kes) });
}

/** "1,250" */
export function formatCount(count: number): string {
  return wholeNumbers().format(count);
}

export function formatDate(at: Date): string {
  return fullDates().format(at);
}

export function formatTime(at: Date): string {
  return clockTimes().format(at);
}

/** "10:42" today, "20 May, 10:42" on another day. */
export function formatMoment(at: Date, now: Date): string {
  if (fullDates().format(at) === fullDates().format(now)) return formatTime(at);
  return `${shortDates().format(at)}, ${formatTime(at)}`;
}

/** The heading of a day in a history, in the phone's own time zone. */
export function formatDay(at: Date, now: Date): string {
  const day = fullDates().format(at);
  if (day === fullDates().format(now)) return t("time.today");
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  return day === fullDates().format(yesterday) ? t("time.yesterday") : day;
}

/** "29/11" */
export function formatDayMonth(at: Date): string {
  return new Intl.DateTimeFormat(currentLocale(), { day: "2-digit", month: "2-digit" }).format(at);
}

/** The `{time}` and the `{date}` of a text. */
export function timeAndDate(at: Date) {
  return { time: formatTime(at), date: formatDayMonth(at) };
}

/**
 * When something happened: "10:42" today, "yesterday", "3 days ago" up to three days, and the full date before that. Days
 * change at midnight, in the phone's own time zone.
 */
export function formatRelative(at: Date, now: Date): string {
  const midnight = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
  // A day on which summer time begins has 23 hours.
  const days = Math.round((midnight(now) - midnight(at)) / DAY_MS);
  if (days <= 0) return formatTime(at);
  return days <= 3 ? relativeDays().format(-days, "day") : formatDate(at);
}

/** "1:05" for 65 seconds. */
export function formatElapsed(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
}
