import "@/ui/worlds.css";
import { type PointerEvent, useEffect, useRef } from "react";
import { useNavigate } from "react-router";
import { paths } from "@/app/paths";
import { t } from "@/lib/i18n/i18n";
import { markOnboarded } from "@/lib/session/session";
import { Button } from "@/ui/Button";
import styles from "./onboarding.module.css";
import cash from "./onboarding-art/slide-cash.svg";
import compete from "./onboarding-art/slide-compete.svg";
import play from "./onboarding-art/slide-play.svg";
import { Climb, Games, Paid } from "./onboarding-extras";

const slides = [
  { title: "onboarding.play.title", text: "onboarding.play.text", art: play, world: "maneno", Extra: Games },
  {
    title: "onboarding.compete.title",
    text: "onboarding.compete.text",
    art: compete,
    world: "dash",
    Extra: Climb,
  },
  { title: "onboarding.cash.title", text: "onboarding.cash.text", art: cash, world: "ajua", Extra: Paid },
] as const;

const SWIPE_PX = 48;

/** Moves the slide with the finger, and reports a horizontal swipe when it is released. */
function useSwipe(onLeft: () => void, onRight: () => void) {
  const start = useRef<{ x: number; y: number } | null>(null);
  const slide = useRef<HTMLElement>(null);
  const moveBy = (dx: number) => slide.current?.style.setProperty("--drag", `${dx}px`);
  const end = () => {
    start.current = null;
    moveBy(0);
  };
  return {
    slide,
    handlers: {
      onPointerDown: (event: PointerEvent) => {
        start.current = { x: event.clientX, y: event.clientY };
      },
      onPointerMove: (event: PointerEvent) => {
        if (start.current) moveBy(event.clientX - start.current.x);
      },
      onPointerUp: (event: PointerEvent) => {
        if (!start.current) return;
        const dx = event.clientX - start.current.x;
        const dy = event.clientY - start.current.y;
        end();
        if (Math.abs(dx) < SWIPE_PX || Math.abs(dx) < Math.abs(dy)) return;
        if (dx < 0) onLeft();
        else onRight();
      },
      onPointerCancel: end,
      onPointerLeave: end,
    },
  };
}

/** Fetches the next slide's picture while this one is read. */
function usePreload(art: string | undefined): void {
  useEffect(() => {
    if (art) new Image().src = art;
  }, [art]);
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
  usePreload(slides[slide]?.art);

  return (
    <main className={`${styles.onboarding} w-${current.world}`} {...swipe.handlers}>
      <section
        key={slide}
        ref={swipe.slide}
        className={styles.slide}
        aria-roledescription="slide"
        aria-label={t("onboarding.slide", { number: slide, count: slides.length })}
      >
        <div className={`${styles.stage} textured`}>
          <div className={styles.frame}>
            <img src={current.art} width="400" height="300" alt="" draggable={false} />
          </div>
          <current.Extra />
        </div>
        <div className={styles.say}>
          <h1 className={styles.title}>{t(current.title)}</h1>
          <p className={styles.text}>{t(current.text)}</p>
        </div>
      </section>
      <div className={styles.top}>
        <span className={styles.count} aria-hidden="true">
          {t("onboarding.count", { number: slide, count: slides.length })}
        </span>
        <button type="button" className={styles.skip} onClick={finish}>
          {t("onboarding.skip")}
        </button>
      </div>
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
