import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { type Location, Outlet, ScrollRestoration, useLocation, useNavigate } from "react-router";
import { loginFrom } from "@/app/paths";
import { t } from "@/lib/i18n/i18n";
import { onSessionLost } from "@/lib/session/session";
import { focusTitle } from "@/lib/title";
import { toast } from "@/lib/toast";
import { currentOffers, onOffersChange } from "@/pwa/offers";
import { lazyComponent } from "@/ui/Lazy";
import { ProgressLine } from "@/ui/ProgressLine";

/** Scroll restoration key. The first page of every visit has the key "default", so its path is used instead. */
const scrollKeyOf = ({ key, pathname }: Location) => (key === "default" ? pathname : key);

/** The banner gets no skeleton, and no message when its code fails to load. */
const OfferBanner = lazyComponent(
  async () => (await (await import("@/app/screens")).loadOfferBanner()).OfferBanner,
  () => null,
);

/** The banner, once there has been something to offer. */
function Offers() {
  const { update, install } = useSyncExternalStore(onOffersChange, currentOffers);
  const [isNeeded, need] = useState(false);
  if (!isNeeded && (update || install)) need(true);
  return isNeeded ? <OfferBanner /> : null;
}

/** Calls the function when the browser has nothing else to do. */
function whenIdle(run: () => void): void {
  if (typeof window.requestIdleCallback === "function") window.requestIdleCallback(run, { timeout: 2_000 });
  else setTimeout(run, 200);
}

/** Fetches what the next tap needs: the pages that usually follow this one, and any page whose link is touched. */
function usePreloading(): void {
  const { pathname } = useLocation();
  useEffect(() => {
    let stop: (() => void) | undefined;
    let isGone = false;
    whenIdle(() => {
      if (isGone) return;
      import("@/app/preload")
        .then(({ preloadNext, preloadOnPointerDown }) => {
          if (isGone) return;
          preloadNext(pathname);
          stop = preloadOnPointerDown();
        })
        // Opening the page loads it again, and shows the failure.
        .catch(() => {});
    });
    return () => {
      isGone = true;
      stop?.();
    };
  }, [pathname]);
}

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
  usePreloading();
  return (
    <>
      <ProgressLine />
      <Outlet />
      <Offers />
      <ScrollRestoration getKey={scrollKeyOf} />
    </>
  );
}
