import { useEffect } from "react";
import { useLocation, useNavigate } from "react-router";

/**
 * The token of a mail's link. It is taken out of the address at once, where it would be seen, shared and kept, and
 * stays with this step of the history, so that a page which the phone has killed meanwhile still has it.
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
