import { useMutation } from "@tanstack/react-query";
import { endSessions, forgetPush } from "@/app/forgetPush";
import { paths } from "@/app/paths";
import { signOut, signOutEverywhere } from "@/features/auth/api/requests";
import { Fault, TIMED_OUT } from "@/lib/http/fault";
import { t } from "@/lib/i18n/i18n";
import { hardNavigate } from "@/lib/navigation";
import { clearStorage, currentSession } from "@/lib/session/session";
import { broadcastEnd } from "@/lib/session/tabs";
import { messageOf, queueToastForReload } from "@/lib/toast";

/** How long a logout waits for the server's reply. */
export const SIGN_OUT_TIMEOUT_MS = 3_000;

/** Empties the storages and reloads the app at the login, so that nothing stays in memory either. */
export function clearAndReload(queueToast?: () => void): void {
  const ended = currentSession();
  clearStorage();
  if (ended) broadcastEnd(ended.uid);
  queueToast?.();
  hardNavigate(paths.login);
}

/** Rejects with a TIMED_OUT fault after {@link SIGN_OUT_TIMEOUT_MS}. */
function timeOut(): Promise<never> {
  const timedOut = () => new Fault(t("fault.timeout"), { code: TIMED_OUT, status: 0 });
  return new Promise((_resolve, reject) => setTimeout(() => reject(timedOut()), SIGN_OUT_TIMEOUT_MS));
}

/** Ends the session on the server. Returns the reason of a failure; null on success. */
async function requestSignOut(): Promise<string | null> {
  try {
    await forgetPush();
    await Promise.race([signOut(), timeOut()]);
    return null;
  } catch (cause) {
    // The server has already ended a session that it refuses.
    return cause instanceof Fault && cause.unauthenticated ? null : messageOf(cause);
  }
}

/**
 * Signs out on this phone even when the server cannot be reached, because the phone may be about to change hands. The
 * next page then says that the server did not confirm it.
 */
export function useLogout() {
  return useMutation({
    mutationFn: async () => {
      const reason = await requestSignOut();
      clearAndReload(
        () => reason === null || queueToastForReload(t("auth.logout.unconfirmed", { reason }), "error"),
      );
    },
  });
}

/** Ends every session of the player, including this one. Without the server's confirmation the player stays signed in. */
export function useSignOutEverywhere() {
  return useMutation({
    mutationFn: async () => {
      const message = await endSessions(signOutEverywhere);
      clearAndReload(() => queueToastForReload(message));
    },
  });
}
