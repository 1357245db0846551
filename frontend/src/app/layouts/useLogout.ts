import { useMutation } from "@tanstack/react-query";
import { paths } from "@/app/paths";
import { signOut, signOutEverywhere } from "@/features/auth/api";
import { Fault, TIMED_OUT } from "@/lib/http/fault";
import { t } from "@/lib/i18n/i18n";
import { leaveFor } from "@/lib/navigation";
import { clearBrowser } from "@/lib/session/session";
import { messageOf, toastAfterReload } from "@/lib/toast";

/** How long a player who wants to leave waits for the server to hear of it. */
export const GOODBYE_MS = 3_000;

/** Empties the storages and starts the app afresh, so that nothing in memory stays either. */
function leave(tell?: () => void): void {
  clearBrowser();
  tell?.();
  leaveFor(paths.login);
}

/** Rejects after {@link GOODBYE_MS}. */
function impatience(): Promise<never> {
  const late = () => new Fault(t("fault.timeout"), { code: TIMED_OUT, status: 0 });
  return new Promise((_resolve, reject) => setTimeout(() => reject(late()), GOODBYE_MS));
}

/** Why the server does not know that the player left; null when it does. */
async function sayGoodbye(): Promise<string | null> {
  try {
    await Promise.race([signOut(), impatience()]);
    return null;
  } catch (cause) {
    // A session that it no longer takes is as good as ended.
    return cause instanceof Fault && cause.unauthenticated ? null : messageOf(cause);
  }
}

/**
 * Signs out on this phone whatever happens: when it is handed on, a lost line must not keep the last player signed
 * in. That the server could not be told is said on the next page.
 */
export function useLogout() {
  return useMutation({
    mutationFn: async () => {
      const reason = await sayGoodbye();
      leave(() => reason === null || toastAfterReload(t("auth.logout.untold", { reason }), "error"));
    },
  });
}

/** Ends every session of the player, this one too. Here the server's word is the point: without it nobody leaves. */
export function useSignOutEverywhere() {
  return useMutation({
    mutationFn: async () => {
      const message = await signOutEverywhere();
      leave(() => toastAfterReload(message));
    },
  });
}
