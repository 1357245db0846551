import { useMutation, useQueryClient } from "@tanstack/react-query";
import { announce } from "@/lib/changes";
import { Fault } from "@/lib/http/fault";
import { t } from "@/lib/i18n/i18n";
import { toast } from "@/lib/toast";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { Stage } from "@/ui/Stage";
import { ALREADY_SUBSCRIBED, joinRoom } from "./api";
import { setMembership } from "./queries";
import styles from "./RoomScreen.module.css";

/** Joins a room. Counts as success if the player is in it already. */
export function useJoin(uid: string, onJoined: () => void = () => {}) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      try {
        await joinRoom(uid);
      } catch (error) {
        if (!(error instanceof Fault && error.code === ALREADY_SUBSCRIBED)) throw error;
        toast.info(error.message);
      }
    },
    onSuccess: async () => {
      await setMembership(client, uid, true);
      announce("room/joined");
      onJoined();
    },
  });
}

interface JoinDialogProps {
  readonly uid: string;
  readonly onJoined: () => void;
  readonly onClose: () => void;
}

/** Asks a player who taps on a room to join it. */
export function JoinDialog({ uid, onJoined, onClose }: JoinDialogProps) {
  const join = useJoin(uid, onJoined);
  return (
    <Dialog title={t("chat.joinTitle")} description={t("chat.joinText")} onClose={onClose}>
      <Button wide busy={join.isPending} onClick={() => join.mutate()}>
        {t("chat.join")}
      </Button>
    </Dialog>
  );
}

/** Shown in place of the messages of a room that the player has not joined. */
export function JoinPrompt({ uid }: { readonly uid: string }) {
  const join = useJoin(uid);
  return (
    <div className={styles.empty}>
      <Stage
        pose="wave"
        world="maneno"
        title={t("chat.joinTitle")}
        text={t("chat.joinText")}
        action={
          <Button busy={join.isPending} onClick={() => join.mutate()}>
            {t("chat.join")}
          </Button>
        }
      />
    </div>
  );
}
