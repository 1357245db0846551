import { useRouteFailure } from "@/app/layouts/useRouteFailure";
import { Crash } from "@/ui/Crash";

/** The last error boundary, for what even the table of screens needs. Part of the first view. */
export function ErrorScreen() {
  const { error, retry } = useRouteFailure();
  return (
    <main>
      <Crash page error={error} onRetry={retry} />
    </main>
  );
}
