import { useMutation } from "@tanstack/react-query";
import { paths } from "@/app/paths";
import { signOut } from "@/features/auth/api";
import { Fault } from "@/lib/http/fault";
import { clearBrowser } from "@/lib/session/session";

/** Signs out at the server, empties the storages and starts the app afresh, so that nothing in memory stays either. */
export function useLogout() {
  return useMutation({
    mutationFn: async () => {
      try {
        await signOut();
      } catch (cause) {
        // A session that the server no longer knows is already signed out.
        if (!(cause instanceof Fault) || cause.status !== 401) throw cause;
      }
      clearBrowser();
      window.location.assign(paths.login);
    },
  });
}
