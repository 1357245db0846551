import { useCallback, useEffect, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { exchangeOAuth, type OAuthProvider, oauthStart } from "@/features/auth/api/requests";
import { type OnSignedIn, useCompleteSignIn } from "@/features/auth/hooks/useCompleteSignIn";
import { parseOutcomeHash, reasonOf, type SignInResult, watchPopup } from "@/features/auth/oauth";
import { beginRedirect, endRedirect } from "@/features/auth/oauthRedirect";
import { Fault } from "@/lib/http/fault";
import { t } from "@/lib/i18n/i18n";
import { hardNavigate, useOverlay } from "@/lib/navigation";
import { messageOf, toast } from "@/lib/toast";

/** The provider of the current attempt, and its progress. */
export interface Attempt {
  readonly provider: OAuthProvider;
  readonly at: "waiting" | "closed" | "blocked" | "redirecting";
}

const MAX_REDIRECT_LENGTH = 512;
const POPUP = "popup,width=480,height=680";

/** The return path of the redirect flow: the current one, without its query when that is too long for the server. */
function returnPathOf(pathname: string, search: string): string {
  const params = new URLSearchParams(search).toString();
  const place = params === "" ? pathname : `${pathname}?${params}`;
  return place.length <= MAX_REDIRECT_LENGTH ? place : pathname;
}

/** The name of the dialog in the navigation state. */
export const JOIN = "join";

/** An installed app opens popups in the browser, which cannot reach this page. */
function isInstalled(): boolean {
  return window.matchMedia?.("(display-mode: standalone)").matches ?? false;
}

/** Handles the result of a redirect flow once, and removes it from the URL and the history. */
function useRedirectResult(finish: (outcome: SignInResult, provider: OAuthProvider) => void): void {
  const navigate = useNavigate();
  const { pathname, search, hash, state } = useLocation();
  const taken = useRef<string>(undefined);
  useEffect(() => {
    const outcome = parseOutcomeHash(hash);
    if (!outcome || taken.current === hash) return;
    taken.current = hash;
    void navigate({ pathname, search }, { replace: true, state });
    const provider = endRedirect();
    if (provider) finish(outcome, provider);
    else toast.error(t("auth.oauth.OAUTH_STATE"));
  }, [finish, hash, navigate, pathname, search, state]);
}

/**
 * Signs in with Google or Facebook: in a popup, or in this window where popups are not possible. `unproven` is the
 * one-time code of a sign-in that needs a mailed code, too.
 */
export function useOAuth(onSignedIn: OnSignedIn) {
  const { pathname, search } = useLocation();
  const [attempt, setAttempt] = useState<Attempt | null>(null);
  const stopWatching = useRef<() => void>(undefined);
  const [unproven, setUnproven] = useState<string | null>(null);
  const { completeSignIn, isSigningIn } = useCompleteSignIn(exchangeOAuth, onSignedIn, true);
  const { show } = useOverlay();

  const finish = useCallback(
    (outcome: SignInResult, provider: OAuthProvider) => {
      setAttempt(null);
      if (!("code" in outcome)) return void toast.error(reasonOf(outcome, provider));
      completeSignIn(outcome.code, {
        onError: (cause) => {
          if (!(cause instanceof Fault) || cause.code !== "EMAIL_CODE_NEEDED")
            return void toast.error(messageOf(cause));
          setUnproven(outcome.code);
          show(JOIN);
        },
      });
    },
    [completeSignIn, show],
  );
  useRedirectResult(finish);

  const cancel = useCallback(() => {
    stopWatching.current?.();
    setAttempt(null);
  }, []);

  /** Must be called inside the click handler, because browsers block popups that open later. */
  function start(provider: OAuthProvider) {
    stopWatching.current?.();
    const popup = isInstalled() ? null : window.open(oauthStart(provider), "_blank", POPUP);
    if (!popup) {
      setAttempt({ provider, at: isInstalled() ? "redirecting" : "blocked" });
      beginRedirect(provider);
      hardNavigate(oauthStart(provider, returnPathOf(pathname, search)));
      return;
    }
    setAttempt({ provider, at: "waiting" });
    stopWatching.current = watchPopup(popup, {
      onOutcome: (outcome) => finish(outcome, provider),
      onClosed: () => setAttempt({ provider, at: "closed" }),
      onTimeout: () => {
        setAttempt(null);
        toast.error(t("auth.oauth.timedOut"));
      },
    });
  }

  useEffect(() => {
    // The player came back from the provider to a page that the browser restored from its back/forward cache.
    const onPageShow = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return;
      endRedirect();
      cancel();
    };
    window.addEventListener("pageshow", onPageShow);
    return () => {
      window.removeEventListener("pageshow", onPageShow);
      stopWatching.current?.();
    };
  }, [cancel]);

  return { attempt, isSigningIn, unproven, start, cancel };
}
