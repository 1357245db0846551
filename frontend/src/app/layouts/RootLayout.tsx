import { useEffect, useRef } from "react";
import { type Location, Outlet, ScrollRestoration, useLocation, useNavigate } from "react-router";
import { loginFrom } from "@/app/paths";
import { t } from "@/lib/i18n/i18n";
import { onSessionLost } from "@/lib/session/session";
import { focusTitle } from "@/lib/title";
import { toast } from "@/lib/toast";

/** Every page that a visit begins with has the same key, "default": each of them is a place of its own. */
const placeOf = ({ key, pathname }: Location) => (key === "default" ? pathname : key);

/** What is pressed to get to another screen is gone there: the focus goes to its title, as if the page were loaded. */
function useFocusOnScreen(): void {
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    // A screen that begins with a field has it already.
    if (!document.activeElement?.matches("input, select, textarea")) focusTitle();
  }, [pathname]);
}

/** What every page has: scroll positions that survive, and the way to the login when the server ends the session. */
export function RootLayout() {
  const navigate = useNavigate();
  useEffect(
    () =>
      onSessionLost(() => {
        toast.info(t("fault.sessionLost"));
        void navigate(loginFrom(window.location), { replace: true });
      }),
    [navigate],
  );
  useFocusOnScreen();
  return (
    <>
      <Outlet />
      <ScrollRestoration getKey={placeOf} />
    </>
  );
}
