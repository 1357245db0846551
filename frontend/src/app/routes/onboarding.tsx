import { type PointerEvent, useEffect, useRef } from "react";
import { useNavigate } from "react-router";
import { paths } from "@/app/paths";
import { t } from "@/lib/i18n/i18n";
import { markOnboarded } from "@/lib/session/session";
import { Button } from "@/ui/Button";
import styles from "./onboarding.module.css";
import { CashArt, CompeteArt, PlayArt } from "./onboarding-art";

const slides = [
  { title: "onboarding.play.title", text: "onboarding.play.text", Art: PlayArt },
  { title: "onboarding.compete.title", text: "onboarding.compete.text", Art: CompeteArt },
  { title: "onboarding.cash.title", text: "onboarding.cash.text", Art: CashArt },
] as const;

const SWIPE_PX = 48;

/** Detects horizontal swipes, as opposed to taps and scrolling. */
function useSwipe(onLeft: () => void, onRight: () => void) {
  const start = useRef<{ x: number; y: number } | null>(null);
  return {
    onPointerDown: (event: PointerEvent) => {
      start.current = { x: event.clientX, y: event.clientY };
    },
    onPointerUp: (event: PointerEvent) => {
      if (!start.current) return;
      const dx = event.clientX - start.current.x;
      const dy = event.clientY - start.current.y;
      start.current = null;
      if (Math.abs(dx) < SWIPE_PX || Math.abs(dx) < Math.abs(dy)) return;
      if (dx < 0) onLeft();
      else onRight();
    },
  };
}

/**
 * Three slides in one history entry: back from a slide opens the welcome. The login replaces that entry, so that back
 * from there does not show a slide again.
 */
export function Onboarding({ slide }: { readonly slide: number }) {
  const navigate = useNavigate();
  const goTo = (number: number) =>
    navigate({ search: `?slide=${number}` }, { replace: true, viewTransition: true });
  const finish = () => {
    markOnboarded();
    void navigate(paths.login, { replace: true, viewTransition: true });
  };
  const next = () => (slide < slides.length ? void goTo(slide + 1) : finish());
  useEffect(() => {
    import("@/app/preload").then(({ preloadPage }) => preloadPage(paths.login)).catch(() => {});
  }, []);
  const swipe = useSwipe(next, () => slide > 1 && void goTo(slide - 1));
  const current = slides[slide - 1] ?? slides[0];

  return (
    <main className={styles.onboarding} {...swipe}>
      <div className={styles.top}>
        <Button variant="plain" onClick={finish}>
          {t("onboarding.skip")}
        </Button>
      </div>
      <section
        key={slide}
        className={styles.slide}
        aria-roledescription="slide"
        aria-label={t("onboarding.slide", { number: slide, count: slides.length })}
      >
        <current.Art />
        <h1 className={styles.title}>{t(current.title)}</h1>
        <p className={styles.text}>{t(current.text)}</p>
      </section>
      <ol className={styles.dots}>
        {slides.map(({ title }, index) => (
          <li key={title}>
            <button
              type="button"
              className={styles.dot}
              aria-label={t("onboarding.slide", { number: index + 1, count: slides.length })}
              aria-current={index + 1 === slide ? "step" : undefined}
              onClick={() => void goTo(index + 1)}
            />
          </li>
        ))}
      </ol>
      <div className={styles.foot}>
        <Button wide onClick={next}>
          {t("onboarding.next")}
        </Button>
      </div>
    </main>
  );
}
