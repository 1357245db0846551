import { type ReactNode, useRef, useState } from "react";
import styles from "./Carousel.module.css";

interface CarouselProps {
  readonly label: string;
  /** The name of a slide by its number from 1: "Event 1 of 3". */
  readonly slideLabel: (number: number, count: number) => string;
  readonly slides: readonly { readonly id: string; readonly content: ReactNode }[];
}

/** Slides to swipe through, with a dot each. It never moves by itself. */
export function Carousel({ label, slideLabel, slides }: CarouselProps) {
  const track = useRef<HTMLUListElement>(null);
  const [shown, setShown] = useState(0);
  const show = (index: number) => {
    const slide = track.current?.children[index];
    if (slide instanceof HTMLElement)
      track.current?.scrollTo({ left: slide.offsetLeft - track.current.offsetLeft, behavior: "smooth" });
    setShown(index);
  };
  const follow = ({ scrollLeft, clientWidth }: HTMLUListElement) => {
    if (clientWidth > 0) setShown(Math.min(slides.length - 1, Math.round(scrollLeft / clientWidth)));
  };
  return (
    <section aria-label={label}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard. */}
      <ul ref={track} tabIndex={0} className={styles.track} onScroll={(event) => follow(event.currentTarget)}>
        {slides.map(({ id, content }) => (
          <li key={id} className={styles.slide}>
            {content}
          </li>
        ))}
      </ul>
      {slides.length > 1 ? (
        <div className={styles.dots}>
          {slides.map(({ id }, index) => (
            <button
              key={id}
              type="button"
              className={styles.dot}
              aria-label={slideLabel(index + 1, slides.length)}
              aria-current={index === shown}
              onClick={() => show(index)}
            />
          ))}
        </div>
      ) : null}
    </section>
  );
}
