import { useEffect } from "react";
import { type Location, Outlet, ScrollRestoration, useNavigate } from "react-router";
import { loginFrom } from "@/app/paths";
import { t } from "@/lib/i18n/i18n";
import { onSessionLost } from "@/lib/session/session";
import { toast } from "@/lib/toast";

/** Every page that a visit begins with has the same key, "default": each of them is a place of its own. */
const placeOf = ({ key, pathname }: Location) => (key === "default" ? pathname : key);

/** What every page has: scroll positions that survive, and the way to the login when the server ends the session. */
export function RootLayout() {
  const navigate = useNavigate();
  useEffect(
    () =>
      onSessionLost(() => {
        toast.info(t("fault.signedOut"));
        void navigate(loginFrom(window.location), { replace: true });
      }),
    [navigate],
  );
  return (
    <>
      <Outlet />
      <ScrollRestoration getKey={placeOf} />
    </>
  );
}
