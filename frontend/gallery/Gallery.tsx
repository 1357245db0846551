import { cards } from "./cards";
import { controls } from "./controls";
import styles from "./Gallery.module.css";
import { overlays } from "./overlays";
import type { Part } from "./part";
import { states } from "./states";

const parts: readonly Part[] = [...controls, ...cards, ...states, ...overlays];

/** The names of all parts, for the test. */
const names = parts.map(({ name }) => name).join(" ");

/** Shows each part of `src/ui` in its states, to look at and for pictures; `?part=` shows one part. */
export function Gallery() {
  const chosen = new URLSearchParams(window.location.search).get("part");
  const part = parts.find(({ name }) => name === chosen);
  if (part?.alone) return part.content;
  const shown = part ? [part] : parts;
  return (
    <main className={styles.gallery} data-parts={names}>
      <h1>PlayOn's parts</h1>
      {shown.map(({ name, content, alone }) => (
        <section key={name} className={styles.part} aria-label={name} data-part={name}>
          <h2>
            <a href={`?part=${name}`}>{name}</a>
          </h2>
          {alone ? null : content}
        </section>
      ))}
    </main>
  );
}
