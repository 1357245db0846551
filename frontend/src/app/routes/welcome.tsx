import { useEffect } from "react";
import { useSearchParams } from "react-router";
import { t } from "@/lib/i18n/i18n";
import { useTitle } from "@/lib/title";
import { ButtonLink } from "@/ui/Button";
import { Crash } from "@/ui/Crash";
import { Kiondo } from "@/ui/Kiondo";
import { type FallbackProps, lazyComponent } from "@/ui/Lazy";
import { Wordmark } from "@/ui/Mark";
import { Skeleton } from "@/ui/Skeleton";
import styles from "./welcome.module.css";

function OnboardingFallback({ error, onRetry }: FallbackProps<object>) {
  if (error) {
    return (
      <main>
        <Crash page error={error} onRetry={onRetry} />
      </main>
    );
  }
  return (
    <div className={styles.loading}>
      <Skeleton height="46vh" radius={28} />
      <Skeleton width="70%" height={32} />
      <Skeleton height={48} />
      <Skeleton height={56} radius={16} />
    </div>
  );
}

// Imported through `screens`, which knows the texts that it needs.
const Onboarding = lazyComponent(
  async () => (await (await import("@/app/screens")).loadOnboarding()).Onboarding,
  OnboardingFallback,
);

/** The welcome of first-time visitors: pattern, logo, one line and one button, then the onboarding slides. */
export function Welcome() {
  const [search] = useSearchParams();
  useTitle(t("welcome.title"));
  // The onboarding is the only way on from here; the login is fetched while the slides are read.
  useEffect(Onboarding.preload, []);
  const slide = Number(search.get("slide") ?? "0");
  if (slide >= 1 && slide <= 3) {
    return <Onboarding slide={slide} />;
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
