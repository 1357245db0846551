import { useQuery } from "@tanstack/react-query";
import { Play } from "lucide-react";
import { formatAmount } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import { Row, RowButton, Rows } from "@/ui/Rows";
import { Tile } from "@/ui/Tile";
import { fetchBestRun } from "./api";
import { bestRunQuery } from "./queries";
import { useWatchRun } from "./useWatchRun";

/** Opens the player's best run of a game. Renders nothing before the first run. */
export function BestRun({ gameId }: { readonly gameId: string }) {
  const { data } = useQuery(bestRunQuery(gameId));
  const { watch, busyWith } = useWatchRun(fetchBestRun);
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
