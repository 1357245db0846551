import { useRouteFailure } from "@/app/layouts/useRouteFailure";
import { Crash } from "@/ui/Crash";

/** The last error boundary, for a failure of the table of screens itself. Part of the first view. */
export function ErrorScreen() {
  const { error, retry } = useRouteFailure();
  return (
    <main>
      <Crash page error={error} onRetry={retry} />
    </main>
  );
}
