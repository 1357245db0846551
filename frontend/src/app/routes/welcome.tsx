import { useEffect } from "react";
import { useSearchParams } from "react-router";
import { pageFallback } from "@/app/layouts/pageFallback";
import { t } from "@/lib/i18n/i18n";
import { useTitle } from "@/lib/title";
import { ButtonLink } from "@/ui/Button";
import { Kiondo } from "@/ui/Kiondo";
import { lazyComponent } from "@/ui/Lazy";
import { Wordmark } from "@/ui/Mark";
import styles from "./welcome.module.css";

// Imported through `screens`, which knows the texts that it needs.
const Onboarding = lazyComponent(
  async () => (await (await import("@/app/screens")).loadOnboarding()).Onboarding,
  pageFallback(
    <main className={styles.welcome}>
      <Wordmark size={76} />
    </main>,
  ),
);

/** The welcome of first-time visitors: pattern, logo, one line and two buttons, then the onboarding slides. */
export function Welcome() {
  const [search] = useSearchParams();
  useTitle(t("welcome.title"));
  // Most go on to the onboarding; the login is fetched while the slides are read.
  useEffect(Onboarding.preload, []);
  const slide = Number(search.get("slide"));
  if (slide >= 1 && slide <= 3) return <Onboarding slide={slide} />;
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
        <ButtonLink variant="veil" wide replace to={{ search: "?try" }}>
          {t("welcome.try")}
        </ButtonLink>
      </div>
    </main>
  );
}
