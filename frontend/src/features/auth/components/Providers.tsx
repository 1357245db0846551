import { Smartphone } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import type { OnSignedIn } from "@/features/auth/hooks/useCompleteSignIn";
import { type Attempt, JOIN, useOAuth } from "@/features/auth/hooks/useOAuth";
import { useProviders } from "@/features/auth/hooks/useProviders";
import { isInsideAnotherApp } from "@/features/auth/insideApp";
import { providerName } from "@/features/auth/oauth";
import { t } from "@/lib/i18n/i18n";
import { useOverlay } from "@/lib/navigation";
import { toast } from "@/lib/toast";
import { Button } from "@/ui/Button";
import { lazyOverlay } from "@/ui/LazyOverlay";
import styles from "./Providers.module.css";

const JoinDialog = lazyOverlay(
  async () => (await import("@/features/auth/components/JoinDialog")).JoinDialog,
);

type Choice = "google" | "facebook" | "phone";

/** Google's mark in its own colours, which its branding rules require. */
function GoogleMark() {
  return (
    <svg width="20" height="20" viewBox="0 0 48 48" aria-hidden="true">
      <path
        className={styles.red}
        d="M24 9.5c3.54 0 6.71 1.22 9.21 3.6l6.85-6.85C35.9 2.38 30.47 0 24 0 14.62 0 6.51 5.38 2.56 13.22l7.98 6.19C12.43 13.72 17.74 9.5 24 9.5z"
      />
      <path
        className={styles.blue}
        d="M46.98 24.55c0-1.57-.15-3.09-.38-4.55H24v9.02h12.94c-.58 2.96-2.26 5.48-4.78 7.18l7.73 6c4.51-4.18 7.09-10.36 7.09-17.65z"
      />
      <path
        className={styles.yellow}
        d="M10.53 28.59c-.48-1.45-.76-2.99-.76-4.59s.27-3.14.76-4.59l-7.98-6.19C.92 16.46 0 20.12 0 24c0 3.88.92 7.54 2.56 10.78l7.97-6.19z"
      />
      <path
        className={styles.green}
        d="M24 48c6.48 0 11.93-2.13 15.89-5.81l-7.73-6c-2.15 1.45-4.92 2.3-8.16 2.3-6.26 0-11.57-4.22-13.47-9.91l-7.98 6.19C6.51 42.62 14.62 48 24 48z"
      />
    </svg>
  );
}

function FacebookMark() {
  return (
    <svg width="20" height="20" viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
      <path d="M22 12a10 10 0 1 0-11.6 9.9v-7H7.9V12h2.5V9.8c0-2.5 1.5-3.9 3.8-3.9 1.1 0 2.2.2 2.2.2v2.5h-1.3c-1.2 0-1.6.8-1.6 1.6V12h2.8l-.4 2.9h-2.3v7A10 10 0 0 0 22 12Z" />
    </svg>
  );
}

const marks: Record<Choice, ReactNode> = {
  google: <GoogleMark />,
  facebook: <FacebookMark />,
  phone: <Smartphone size={20} strokeWidth={2.25} aria-hidden="true" />,
};

const choices = ["google", "facebook", "phone"] as const;

function noteOf({ provider, at }: Attempt): string {
  const name = { provider: providerName(provider) };
  switch (at) {
    case "waiting":
      return t("auth.oauth.waiting", name);
    case "closed":
      return t("auth.oauth.closed", name);
    case "blocked":
      return t("auth.oauth.blocked", name);
    case "redirecting":
      return t("auth.oauth.redirecting", name);
  }
}

interface ProvidersProps {
  readonly onPhone: () => void;
  readonly onSignedIn: OnSignedIn;
}

/** The other ways to sign in. A provider that is switched off, or does not work here, is marked, and says why when it is pressed. */
export function Providers({ onPhone, onSignedIn }: ProvidersProps) {
  const { data } = useProviders();
  const { attempt, isSigningIn, unproven, start, cancel } = useOAuth(onSignedIn);
  const overlay = useOverlay();
  const note = useRef<HTMLDivElement>(null);
  const at = attempt?.at;
  useEffect(() => {
    // Scroll the note with the next step into view.
    if (at) note.current?.scrollIntoView?.({ block: "end" });
  }, [at]);
  const reasonOff = (choice: Choice) => {
    if (data?.[choice] === false) return t(`auth.${choice}.off`);
    return choice === "google" && isInsideAnotherApp() ? t("auth.google.insideApp") : null;
  };

  function press(choice: Choice) {
    const reason = reasonOff(choice);
    if (reason) toast.info(reason);
    else if (choice === "phone") onPhone();
    else if (!isSigningIn) start(choice);
  }

  return (
    <section className={styles.providers} aria-label={t("auth.or")}>
      <p className={styles.or}>{t("auth.or")}</p>
      <ul className={styles.row}>
        {choices.map((choice) => (
          <li key={choice}>
            <button
              type="button"
              className={`${styles.provider} ${styles[choice]}`}
              aria-disabled={reasonOff(choice) !== null || undefined}
              aria-busy={attempt?.provider === choice || undefined}
              onClick={() => press(choice)}
            >
              {marks[choice]}
              {t(`auth.${choice}`)}{" "}
              {reasonOff(choice) ? <span className={styles.off}>{t("auth.off")}</span> : null}
            </button>
          </li>
        ))}
      </ul>
      <div ref={note} className={styles.next}>
        <div className={styles.note} role="status">
          {attempt ? noteOf(attempt) : isSigningIn ? t("auth.oauth.signingIn") : null}
        </div>
        {at === "waiting" ? (
          <Button variant="plain" onClick={cancel}>
            {t("auth.cancel")}
          </Button>
        ) : null}
      </div>
      {unproven !== null && overlay.current === JOIN ? (
        <JoinDialog exchangeCode={unproven} onClose={overlay.hide} onSignedIn={() => onSignedIn(false)} />
      ) : null}
    </section>
  );
}
