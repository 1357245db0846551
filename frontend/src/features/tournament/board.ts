import { t } from "@/lib/i18n/i18n";
import { type Award, type Board, type BoardEntry, PAGE_SIZE } from "./api";
import { type Stage, stageOf } from "./model";

/** A board's stage: after the end the awards are given, and then the board is final. */
export type BoardStage = Exclude<Stage, "expired"> | "settling" | "final";

export function boardStageOf(
  tournament: { readonly starts: Date; readonly ends: Date },
  settled: boolean,
  now: Date,
): BoardStage {
  const stage = stageOf(tournament, now);
  if (settled) return "final";
  return stage === "expired" ? "settling" : stage;
}

/**
 * The entries of pages that were fetched one after another, by rank. A player who moved between two calls is in both
 * pages: then the entry of the page with the top counts.
 */
export function entriesOf(pages: readonly Pick<Board, "content">[]): readonly BoardEntry[] {
  const seen = new Set<string>();
  return pages
    .flatMap(({ content }) => content)
    .filter(({ userId }) => !seen.has(userId) && seen.add(userId))
    .sort((one, other) => one.rank - other.rank);
}

/** How a board calls a player: a place stays when its account is gone. */
export function nameOf({ username, former }: Pick<BoardEntry, "username" | "former">): string {
  return username ?? t(former ? "board.former" : "board.nameless");
}

const PODIUM = 3;

/** The first three, each in its place, and the others below. */
export function podiumAndList(entries: readonly BoardEntry[]): {
  readonly podium: readonly (BoardEntry | null)[];
  readonly list: readonly BoardEntry[];
} {
  return {
    podium: [1, 2, 3].map((rank) => entries.find((entry) => entry.rank === rank) ?? null),
    list: entries.filter(({ rank }) => rank > PODIUM),
  };
}

/** The page that a rank stands on, from 0. */
export function pageOfRank(rank: number): number {
  return Math.floor((rank - 1) / PAGE_SIZE);
}

/** The entries around the player that the list does not show already. */
export function entriesAround(page: Board | undefined, shown: readonly BoardEntry[]): readonly BoardEntry[] {
  const ids = new Set(shown.map(({ userId }) => userId));
  return (page?.content ?? []).filter(({ userId }) => !ids.has(userId));
}

/** A player's place on a board. */
export interface Place {
  readonly rank: number;
  readonly points: number;
}

/** A state of the board in the live stream. */
export interface Standing {
  /** Null without a score. */
  readonly own: Place | null;
  readonly players: number;
  readonly settled: boolean;
}

/** Whether a fetched board differs from the stream's state. */
export function isOutOfDate(
  board: Pick<Board, "me" | "totalElements" | "settled">,
  { own, players, settled }: Standing,
): boolean {
  return (
    board.me?.rank !== own?.rank ||
    board.me?.points !== own?.points ||
    board.totalElements !== players ||
    board.settled !== settled
  );
}

export const TIERS = ["gold", "silver", "bronze"] as const;
export type Tier = (typeof TIERS)[number];

/** The awards of each tier, by position. */
export function awardsByTier(awards: readonly Award[]): Readonly<Record<Tier, readonly Award[]>> {
  const of = (tier: Tier) =>
    awards
      .filter(({ subscriptionPackage }) => subscriptionPackage.name.toLowerCase() === tier)
      .sort((one, other) => one.position - other.position);
  return { gold: of("gold"), silver: of("silver"), bronze: of("bronze") };
}
