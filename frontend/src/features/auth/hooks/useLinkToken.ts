import { useEffect } from "react";
import { useLocation, useNavigate } from "react-router";

/**
 * The token of a mail's link. It is removed from the URL at once, so that it is not seen, shared or stored there, and
 * stored in the history entry's state, where a reloaded page finds it again.
 */
export function useLinkToken(): string | null {
  const navigate = useNavigate();
  const { pathname, search, state } = useLocation();
  const inAddress = new URLSearchParams(search).get("token");
  useEffect(() => {
    if (inAddress) void navigate(pathname, { replace: true, state: { token: inAddress } });
  }, [inAddress, navigate, pathname]);
  if (inAddress) return inAddress;
  const kept: unknown = (state as { token?: unknown } | null)?.token;
  return typeof kept === "string" ? kept : null;
}
