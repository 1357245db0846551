import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { t } from "@/lib/i18n/i18n";
import { messageOf, toast } from "@/lib/toast";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { Failed } from "@/ui/Failed";
import { Skeleton } from "@/ui/Skeleton";
import { type BlockedPlayer, unblockPlayer } from "../api";
import { blockedQuery } from "./queries";
import styles from "./Safety.module.css";

interface BlockedPlayersProps {
  /** Called when the messages of a player are shown again. */
  readonly onUnblocked: () => void;
  readonly onClose: () => void;
}

/** The players whose messages are hidden. */
export function BlockedPlayers({ onUnblocked, onClose }: BlockedPlayersProps) {
  const client = useQueryClient();
  const blocked = useQuery(blockedQuery);
  const [busy, setBusy] = useState<string | null>(null);

  const unblock = async ({ userId }: BlockedPlayer) => {
    setBusy(userId);
    try {
      await unblockPlayer(userId);
      client.setQueryData(blockedQuery.queryKey, (all) => all?.filter((each) => each.userId !== userId));
      onUnblocked();
    } catch (error) {
      toast.error(messageOf(error));
    }
    setBusy(null);
  };

  return (
    <Dialog shape="sheet" title={t("chat.blockedPlayers")} onClose={onClose}>
      {blocked.data ? (
        blocked.data.length === 0 ? (
          <p className={styles.hint}>{t("chat.blockedNone")}</p>
        ) : (
          <ul className={styles.players}>
            {blocked.data.map((player) => (
              <li key={player.userId} className={styles.player}>
                <span className={styles.name}>
                  {player.username ?? player.name ?? t(player.former ? "chat.former" : "chat.unknown")}
                </span>
                <Button
                  variant="plain"
                  busy={busy === player.userId}
                  disabled={busy !== null}
                  onClick={() => void unblock(player)}
                >
                  {t("chat.unblock")}
                </Button>
              </li>
            ))}
          </ul>
        )
      ) : blocked.error ? (
        <Failed error={blocked.error} busy={blocked.isFetching} onRetry={() => void blocked.refetch()} />
      ) : (
        <Skeleton height={64} radius={16} />
      )}
    </Dialog>
  );
}
