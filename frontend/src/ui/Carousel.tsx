import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import styles from "./Carousel.module.css";

interface CarouselProps {
  readonly label: string;
  /** The name of a slide by its number from 1: "Event 1 of 3". */
  readonly slideLabel: (number: number, count: number) => string;
  readonly slides: readonly { readonly id: string; readonly content: ReactNode }[];
  /** The index of the slide to show, if the page decides; used with `onShow`, which a swipe or a dot calls. */
  readonly shown?: number;
  readonly onShow?: (index: number) => void;
  readonly className?: string | undefined;
}

/** Slides to swipe through, each with a dot. It never moves by itself. */
export function Carousel({ label, slideLabel, slides, shown, onShow, className = "" }: CarouselProps) {
  const track = useRef<HTMLUListElement>(null);
  const [own, setOwn] = useState(0);
  const current = shown ?? own;
  const show = (index: number) => {
    setOwn(index);
    onShow?.(index);
  };
  // The slide that the track is scrolling to: the slides in between are not the player's choice.
  const target = useRef<number | null>(null);
  const isMounted = useRef(false);
  useLayoutEffect(() => {
    const list = track.current;
    const slide = list?.children[current];
    const behavior = isMounted.current ? "auto" : "instant";
    isMounted.current = true;
    if (!list || !(slide instanceof HTMLElement)) return;
    const at = indexAt(list);
    if (at === null || at === current) return;
    target.current = current;
    list.scrollTo?.({ left: slide.offsetLeft - list.offsetLeft, behavior });
  }, [current]);
  const follow = (list: HTMLElement) => {
    const index = indexAt(list);
    if (index === target.current) target.current = null;
    if (index === null || target.current !== null || index === current || index >= slides.length) return;
    show(index);
  };
  return (
    <section aria-label={label} className={`${styles.carousel} ${className}`}>
      <ul
        ref={track}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard.
        tabIndex={0}
        className={styles.track}
        onScroll={(event) => follow(event.currentTarget)}
        onPointerDown={() => {
          target.current = null;
        }}
      >
        {slides.map(({ id, content }, index) => (
          <li key={id} className={styles.slide} inert={index !== current} aria-hidden={index !== current}>
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
              aria-current={index === current}
              onClick={() => show(index)}
            />
          ))}
        </div>
      ) : null}
    </section>
  );
}

/** The slide that fills most of the track; null before the page has a layout. */
function indexAt({ scrollLeft, clientWidth }: HTMLElement): number | null {
  return clientWidth > 0 ? Math.round(scrollLeft / clientWidth) : null;
}
