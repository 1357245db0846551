import { useRevalidator, useRouteError } from "react-router";
import { isChunkError } from "@/lib/chunk";

/** The error that a route's boundary caught, and a retry: another attempt at loading, or a reload after a bug. */
export function useRouteFailure(): { readonly error: Error; readonly retry: () => void } {
  const cause = useRouteError();
  const revalidator = useRevalidator();
  const error = cause instanceof Error ? cause : new Error(String(cause));
  return {
    error,
    retry: () => (isChunkError(error) ? void revalidator.revalidate() : window.location.reload()),
  };
}
