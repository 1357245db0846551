import { useEffect, useRef, useState } from "react";
import type { StandingUpdate } from "@/gen/playon/live/v1/live_pb";
import { announce } from "@/lib/changes";
import type { Standing } from "./board";

/** Shortest interval in which the live stream may cause fetches of the board: a page has about 2 kB. */
export const RELOAD_EVERY_MS = 5_000;

let announcedAt = Number.NEGATIVE_INFINITY;
let pending: ReturnType<typeof setTimeout> | undefined;

/** Announces that the boards have moved: at once, then after `every` ms at the earliest. */
export function announceMove(every: number = RELOAD_EVERY_MS): void {
  if (pending !== undefined) return;
  const wait = announcedAt + every - Date.now();
  const send = () => {
    pending = undefined;
    announcedAt = Date.now();
    announce("board/moved");
  };
  if (wait <= 0) send();
  else pending = setTimeout(send, wait);
}

function standingOf({ rank, points, players, settled }: StandingUpdate): Standing {
  return { own: rank > 0n ? { rank: Number(rank), points } : null, players: Number(players), settled };
}

interface LiveStanding {
  /** Null until the stream has sent a state. */
  readonly standing: Standing | null;
  /** How many places the player has gone up since the first state that was shown. */
  readonly climbed: number;
  /** Whether the stream is lost: then the board has to be polled. */
  readonly isLost: boolean;
}

const NOTHING: LiveStanding = { standing: null, climbed: 0, isLost: false };

/** The player's place in a tournament, live. Without an id, or once the board is final, there is no stream. */
export function useStanding(tournamentId: string | null): LiveStanding {
  const [state, setState] = useState<LiveStanding & { readonly id: string | null }>({ ...NOTHING, id: null });
  const first = useRef<number | null>(null);
  useEffect(() => {
    if (tournamentId === null) return;
    let stop: (() => void) | undefined;
    let isOver = false;
    first.current = null;
    let last: Standing | null = null;
    const setLost = (isLost: boolean) => {
      if (!isOver) setState((now) => ({ ...now, id: tournamentId, isLost }));
    };
    const follow = async () => {
      const { watchStanding } = await import("@/lib/live/standings");
      if (isOver) return;
      stop = watchStanding(tournamentId, {
        onUpdate: (update) => {
          const standing = standingOf(update);
          const rank = standing.own?.rank ?? null;
          first.current ??= rank;
          const climbed = rank === null || first.current === null ? 0 : first.current - rank;
          setState({ id: tournamentId, standing, climbed, isLost: false });
          if (last && !last.settled && standing.settled) announce("tournament/settled");
          last = standing;
        },
        onRefused: () => setLost(true),
        onLost: () => setLost(true),
        onLive: (isLive) => setLost(!isLive),
      });
    };
    follow().catch(() => setLost(true));
    return () => {
      isOver = true;
      stop?.();
    };
  }, [tournamentId]);
  return tournamentId !== null && state.id === tournamentId ? state : NOTHING;
}
