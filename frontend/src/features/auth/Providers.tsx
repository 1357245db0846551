import { Smartphone } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { providerName } from "@/features/auth/oauth";
import type { OnSignedIn } from "@/features/auth/useCompleteSignIn";
import { type Attempt, useOAuth } from "@/features/auth/useOAuth";
import { useProviders } from "@/features/auth/useProviders";
import { t } from "@/lib/i18n/i18n";
import { toast } from "@/lib/toast";
import { Button } from "@/ui/Button";
import styles from "./Providers.module.css";

type Choice = "google" | "facebook" | "phone";

const icons: Record<Choice, ReactNode> = {
  google: (
    <path d="M21.6 12.2c0-.7-.1-1.3-.2-1.9H12v3.7h5.4a4.6 4.6 0 0 1-2 3v2.5h3.2c1.9-1.7 3-4.3 3-7.3ZM12 22c2.7 0 5-.9 6.6-2.4l-3.2-2.5c-.9.6-2 1-3.4 1a5.9 5.9 0 0 1-5.5-4.1H3.2v2.6A10 10 0 0 0 12 22ZM6.5 14a6 6 0 0 1 0-3.9V7.5H3.2a10 10 0 0 0 0 9L6.5 14ZM12 6c1.5 0 2.8.5 3.8 1.5l2.9-2.9A10 10 0 0 0 3.2 7.5l3.3 2.6A5.9 5.9 0 0 1 12 6Z" />
  ),
  facebook: (
    <path d="M22 12a10 10 0 1 0-11.6 9.9v-7H7.9V12h2.5V9.8c0-2.5 1.5-3.9 3.8-3.9 1.1 0 2.2.2 2.2.2v2.5h-1.3c-1.2 0-1.6.8-1.6 1.6V12h2.8l-.4 2.9h-2.3v7A10 10 0 0 0 22 12Z" />
  ),
  phone: null,
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

/** The other ways to sign in. A provider that is switched off is marked, and says so when it is pressed. */
export function Providers({ onPhone, onSignedIn }: ProvidersProps) {
  const { data } = useProviders();
  const { attempt, isSigningIn, start, cancel } = useOAuth(onSignedIn);
  const note = useRef<HTMLDivElement>(null);
  const at = attempt?.at;
  useEffect(() => {
    // Scroll the note with the next step into view.
    if (at) note.current?.scrollIntoView?.({ block: "end" });
  }, [at]);
  const isOff = (choice: Choice) => data?.[choice] === false;

  function press(choice: Choice) {
    if (isOff(choice)) toast.info(t(`auth.${choice}.off`));
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
              className={styles.provider}
              aria-disabled={isOff(choice) || undefined}
              aria-busy={attempt?.provider === choice || undefined}
              onClick={() => press(choice)}
            >
              {choice === "phone" ? (
                <Smartphone size={22} strokeWidth={1.75} aria-hidden="true" />
              ) : (
                <svg width="22" height="22" viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
                  {icons[choice]}
                </svg>
              )}
              {t(`auth.${choice}`)}{" "}
              {isOff(choice) ? <span className={styles.off}>{t("auth.off")}</span> : null}
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
    </section>
  );
}
