import "@/ui/worlds.css";
import { useEffect } from "react";
import { useNavigate } from "react-router";
import { paths } from "@/app/paths";
import { t } from "@/lib/i18n/i18n";
import { markOnboarded } from "@/lib/session/session";
import { Button } from "@/ui/Button";
import { Carousel } from "@/ui/Carousel";
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

type Slide = (typeof slides)[number];

function SlideContent({ title, text, art, world, Extra }: Slide) {
  return (
    <div className={`${styles.slide} w-${world}`}>
      <div className={`${styles.stage} textured`}>
        <div className={styles.frame}>
          <img src={art} width="400" height="300" alt="" loading="lazy" draggable={false} />
        </div>
        <Extra />
      </div>
      <div className={styles.say}>
        <h1 className={styles.title}>{t(title)}</h1>
        <p className={styles.text}>{t(text)}</p>
      </div>
    </div>
  );
}

/**
 * Three slides in one history entry: back from a slide opens the welcome. The login replaces that entry, so that back
 * from there does not show a slide again.
 */
export function Onboarding({ slide }: { readonly slide: number }) {
  const navigate = useNavigate();
  const goTo = (number: number) => void navigate({ search: `?slide=${number}` }, { replace: true });
  const finish = () => {
    markOnboarded();
    void navigate(paths.login, { replace: true, viewTransition: true, state: { isNewcomer: true } });
  };
  const next = () => (slide < slides.length ? goTo(slide + 1) : finish());
  useEffect(() => {
    import("@/app/preload").then(({ preloadPage }) => preloadPage(paths.login)).catch(() => {});
  }, []);
  return (
    <main className={styles.onboarding}>
      <Carousel
        className={styles.slides}
        label={t("welcome.title")}
        slideLabel={(number, count) => t("onboarding.slide", { number, count })}
        slides={slides.map((each) => ({ id: each.world, content: <SlideContent {...each} /> }))}
        shown={slide - 1}
        onShow={(index) => goTo(index + 1)}
      />
      <div className={styles.top}>
        <span className={styles.count} aria-hidden="true">
          {t("onboarding.count", { number: slide, count: slides.length })}
        </span>
        <button type="button" className={styles.skip} onClick={finish}>
          {t("onboarding.skip")}
        </button>
      </div>
      <div className={styles.foot}>
        <Button wide onClick={next}>
          {t("onboarding.next")}
        </Button>
      </div>
    </main>
  );
}
