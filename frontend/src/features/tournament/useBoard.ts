import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useServerNowAfter } from "@/lib/useServerNow";
import type { Tournament } from "./api";
import { boardStageOf, entriesAround, entriesOf, isOutOfDate, pageOfRank } from "./board";
import { momentsOf } from "./model";
import { boardPageQuery, boardQuery } from "./queries";
import { announceMove, RELOAD_EVERY_MS, useStanding } from "./useStanding";

/** How often the board is fetched while there is no live stream. */
const POLL_MS = 30_000;

/** A tournament's board: its entries from the top, the places around the player, and the player's own place, live. */
export function useBoard(tournament: Tournament) {
  const { id } = tournament;
  const now = new Date(useServerNowAfter(momentsOf(tournament)));
  const [isAroundShown, showAround] = useState(false);
  const [isPolled, setPolled] = useState(false);
  const top = useInfiniteQuery({ ...boardQuery(id), ...(isPolled ? { refetchInterval: POLL_MS } : {}) });
  const pages = top.data?.pages;
  const newest = pages?.[0];
  const settled = newest?.settled ?? tournament.settled;
  const stage = boardStageOf(tournament, settled, now);
  const isMoving = stage === "ongoing" || stage === "settling";
  const { standing, climbed, isLost } = useStanding(isMoving ? id : null);
  useEffect(() => setPolled(isLost), [isLost]);

  const pageCount = pages?.length ?? 1;
  const outOfDate = Boolean(newest && standing && isOutOfDate(newest, standing));
  useEffect(() => {
    // All pages are fetched again, so a longer list is fetched less often. Each state of the stream asks once.
    if (standing && outOfDate) announceMove(RELOAD_EVERY_MS * pageCount);
  }, [standing, outOfDate, pageCount]);

  const own = standing?.own ?? newest?.me ?? null;
  const shown = entriesOf(pages ?? []);
  const around = useQuery({
    ...boardPageQuery(id, own ? pageOfRank(own.rank) : 0),
    enabled: isAroundShown && own !== null && pageOfRank(own.rank) >= pageCount,
    placeholderData: keepPreviousData,
  });
  return {
    stage,
    top,
    own,
    climbed,
    isLost: isMoving && isLost,
    players: standing?.players ?? newest?.totalElements ?? tournament.players,
    shown,
    around: isAroundShown ? entriesAround(around.data, shown) : [],
    isAroundPending: around.isFetching && !around.data,
    /** Shows the places around the player, below those from the top. */
    showAround: () => showAround(true),
  };
}
