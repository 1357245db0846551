import { useMutation } from "@tanstack/react-query";
import { paths } from "@/app/paths";
import { signOut } from "@/features/auth/api";
import { leaveFor } from "@/lib/navigation";
import { clearBrowser } from "@/lib/session/session";

/** How long a player who wants to leave waits for the server to hear of it. */
export const GOODBYE_MS = 3_000;

/**
 * Empties the storages and starts the app afresh, so that nothing in memory stays either. The server is told if it
 * can be: on a phone that is handed on, a lost line must not keep the last player signed in.
 */
export function useLogout() {
  return useMutation({
    mutationFn: async () => {
      const patience = new Promise((resolve) => setTimeout(resolve, GOODBYE_MS));
      await Promise.race([signOut().catch(() => {}), patience]);
      clearBrowser();
      leaveFor(paths.login);
    },
  });
}
