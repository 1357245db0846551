import { useQuery } from "@tanstack/react-query";
import { Play } from "lucide-react";
import { formatAmount } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import { Row, RowButton, Rows } from "@/ui/Rows";
import { Tile } from "@/ui/Tile";
import { fetchBestRun } from "./api";
import { bestRunQuery } from "./queries";
import { useWatchRun } from "./useWatchRun";

interface BestRunProps {
  readonly gameId: string;
  /** The path of the screen around the game. */
  readonly screen: string;
}

/** Opens the player's best run of a game. Renders nothing before the first run. */
export function BestRun({ gameId, screen }: BestRunProps) {
  const { data } = useQuery(bestRunQuery(gameId));
  const { watch, busyWith } = useWatchRun(fetchBestRun, screen);
  if (!data) return null;
  const row = {
    icon: (
      <Tile tone="mint">
        <Play size={22} fill="currentColor" aria-hidden="true" />
      </Tile>
    ),
    title: t("runs.watchBest"),
    detail: t("runs.watchBest.points", { points: formatAmount(data.points) }),
  };
  return <Rows>{busyWith ? <Row {...row} /> : <RowButton {...row} onClick={() => watch(gameId)} />}</Rows>;
}
