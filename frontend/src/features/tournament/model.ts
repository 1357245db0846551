import { t } from "@/lib/i18n/i18n";
import type { World } from "@/ui/world";
import { knownWorld, worldOf } from "@/ui/world";
import type { Tournament } from "./api";

export const STAGES = ["ongoing", "upcoming", "expired"] as const;
export type Stage = (typeof STAGES)[number];

/** The stage at a time: `starts` belongs to ongoing, `ends` to expired. */
export function stageOf({ starts, ends }: Pick<Tournament, "starts" | "ends">, now: Date): Stage {
  if (now < starts) return "upcoming";
  return now < ends ? "ongoing" : "expired";
}

/** The moments at which a tournament's stage changes. */
export function momentsOf({ starts, ends }: Pick<Tournament, "starts" | "ends">): readonly Date[] {
  return [starts, ends];
}

/** A countdown's time span, with coarser units for longer spans. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor((seconds % 86_400) / 3_600);
  const minutes = Math.floor((seconds % 3_600) / 60);
  if (days > 0) return t("span.days", { days, hours });
  if (hours > 0) return t("span.hours", { hours, minutes });
  return t("span.minutes", { minutes, seconds: seconds % 60 });
}

/** The time until a tournament's next change, in words. */
export function timeLeftText(stage: Stage, ms: number): string {
  const time = durationText(ms);
  return stage === "upcoming" ? t("tournaments.startsIn", { time }) : t("tournaments.endsIn", { time });
}

/** The world of the tournament's game, by its name or its description. */
export function tournamentWorld({ name, description }: Pick<Tournament, "name" | "description">): World {
  return knownWorld(name) ?? knownWorld(description) ?? worldOf(name);
}

/** The art that moves between home's strip and the card of the same tournament. */
export const SHARED_ART = "tournament-art";

/** The tournament that ends next; while none is on, the one that starts next. */
export function liveOrNext(tournaments: readonly Tournament[], now: Date): Tournament | null {
  const at = (stage: "ongoing" | "upcoming") => tournaments.filter((each) => stageOf(each, now) === stage);
  const ongoing = at("ongoing").sort((one, other) => one.ends.getTime() - other.ends.getTime());
  const upcoming = at("upcoming").sort((one, other) => one.starts.getTime() - other.starts.getTime());
  return ongoing[0] ?? upcoming[0] ?? null;
}
