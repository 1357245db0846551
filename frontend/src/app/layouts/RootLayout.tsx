import { useEffect, useRef } from "react";
import { type Location, Outlet, ScrollRestoration, useLocation, useNavigate } from "react-router";
import { loginFrom } from "@/app/paths";
import { t } from "@/lib/i18n/i18n";
import { onSessionLost } from "@/lib/session/session";
import { focusTitle } from "@/lib/title";
import { toast } from "@/lib/toast";

/** Scroll restoration key. The first page of every visit has the key "default", so its path is used instead. */
const scrollKeyOf = ({ key, pathname }: Location) => (key === "default" ? pathname : key);

/** Focuses the title of a new screen, as a page load would, because the element that was pressed is gone. */
function useTitleFocus(): void {
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    // A screen may have focused its first field already.
    if (!document.activeElement?.matches("input, select, textarea")) focusTitle();
  }, [pathname]);
}

/** The root of all pages: scroll restoration, focus, and the redirect to the login when the server ends the session. */
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
  useTitleFocus();
  return (
    <>
      <Outlet />
      <ScrollRestoration getKey={scrollKeyOf} />
    </>
  );
}
