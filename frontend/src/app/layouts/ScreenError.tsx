import { ScreenFallback } from "@/app/layouts/ScreenFallback";
import { useRouteFailure } from "@/app/layouts/useRouteFailure";

/** The error boundary of one screen. The layouts around it stay. */
export function ScreenError() {
  const { error, retry } = useRouteFailure();
  return <ScreenFallback error={error} onRetry={retry} />;
}
