import { lazy, Suspense } from "react";
import { useSearchParams } from "react-router";
import { t } from "@/lib/i18n/i18n";
import { useTitle } from "@/lib/title";
import { ButtonLink } from "@/ui/Button";
import { Kiondo } from "@/ui/Kiondo";
import { Wordmark } from "@/ui/Mark";
import styles from "./welcome.module.css";

// Imported through `screens`, which knows the texts that it needs.
const loadOnboarding = async () => (await import("@/app/screens")).loadOnboarding();
const Onboarding = lazy(async () => ({ default: (await loadOnboarding()).Onboarding }));

/** The welcome of first-time visitors: pattern, logo, one line and one button, then the onboarding slides. */
export function Welcome() {
  const [search] = useSearchParams();
  useTitle(t("welcome.title"));
  const slide = Number(search.get("slide") ?? "0");
  if (slide >= 1 && slide <= 3) {
    return (
      <Suspense>
        <Onboarding slide={slide} />
      </Suspense>
    );
  }
  return (
    <main className={styles.welcome}>
      <Kiondo scale={1.7} plain="bottom" />
      <div className={styles.brand}>
        <Wordmark size={76} />
      </div>
      <div className={styles.foot}>
        <h1 className={styles.title}>{t("welcome.title")}</h1>
        <p className={styles.line}>{t("welcome.line")}</p>
        <ButtonLink variant="hero" wide to={{ search: "?slide=1" }}>
          {t("welcome.start")}
        </ButtonLink>
      </div>
    </main>
  );
}
