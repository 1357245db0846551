import type { Game } from "@/entities/game/api";
import { gameWorld } from "@/entities/game/model";
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

/** The world of the tournament's game; while the game is not known, that of the tournament's name or description. */
export function tournamentWorld(
  { name, description, gameId }: Pick<Tournament, "name" | "description" | "gameId">,
  games: readonly Game[] | undefined,
): World {
  const game = games?.find(({ id }) => id === gameId);
  return game ? gameWorld(game) : (knownWorld(name) ?? knownWorld(description) ?? worldOf(name));
}

/** The signs of days, hours and minutes in a countdown. */
export function countdownUnits(): [string, string, string] {
  return [t("tournaments.unit.days"), t("tournaments.unit.hours"), t("tournaments.unit.minutes")];
}

/** The round that is on, from 0, and the moment when the next one starts; null in the last one. */
export function roundAt(
  { starts, ends, rounds }: Pick<Tournament, "starts" | "ends" | "rounds">,
  now: Date,
): { readonly index: number; readonly next: Date | null } {
  const from = starts.getTime();
  const length = ends.getTime() - from;
  const count = Math.max(1, rounds);
  const index = Math.min(count - 1, Math.max(0, Math.floor(((now.getTime() - from) * count) / length)));
  return {
    index,
    next: index + 1 < count ? new Date(from + Math.ceil((length * (index + 1)) / count)) : null,
  };
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

/** The tournament that the page before passed in the navigation state, if it is a whole one. */
export function passedTournament(state: unknown): Tournament | null {
  const { tournament } = (state ?? {}) as { readonly tournament?: Partial<Tournament> };
  const isWhole =
    typeof tournament?.id === "string" &&
    typeof tournament.name === "string" &&
    typeof tournament.gameId === "string" &&
    tournament.starts instanceof Date &&
    tournament.ends instanceof Date &&
    typeof tournament.players === "number";
  return isWhole ? (tournament as Tournament) : null;
}
