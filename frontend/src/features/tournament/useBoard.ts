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
  const [aroundPage, setAroundPage] = useState<number | null>(null);
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
    // All pages are fetched again, so a longer list is fetched less often. Each state of the stream causes one fetch.
    if (standing && outOfDate) announceMove(RELOAD_EVERY_MS * pageCount);
  }, [standing, outOfDate, pageCount]);

  const own = standing?.own ?? newest?.me ?? null;
  const shown = entriesOf(pages ?? []);
  const ownPage = own ? pageOfRank(own.rank) : 0;
  // The page around the player follows the player's rank, but stays while the pages from the top contain the player's
  // own row.
  if (aroundPage !== null && aroundPage !== ownPage && ownPage >= pageCount) setAroundPage(ownPage);
  const around = useQuery({
    ...boardPageQuery(id, aroundPage ?? 0),
    enabled: aroundPage !== null,
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
    around: aroundPage === null ? [] : entriesAround(around.data, shown),
    isAroundPending: around.isFetching && !around.data,
    /** Shows the places around the player, below those at the top. */
    showAround: () => setAroundPage(ownPage),
  };
}
