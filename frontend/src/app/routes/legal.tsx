import { type MouseEvent, useEffect } from "react";
import { paths } from "@/app/paths";
import { CONTACT_EMAIL } from "@/lib/env";
import type { LegalText, Passage as PassageText } from "@/locales/en.legal";
import { Screen } from "@/ui/Screen";
import styles from "./legal.module.css";

const CONTACT = "{contact}";

/** Words with the address in its place. */
function Words({ text }: { readonly text: string }) {
  const [before, after] = text.split(CONTACT);
  if (after === undefined) return text;
  return (
    <>
      {before}
      <a href={`mailto:${CONTACT_EMAIL}`}>{CONTACT_EMAIL}</a>
      {after}
    </>
  );
}

/** A paragraph, or the items of a list. */
function Passage({ passage }: { readonly passage: PassageText }) {
  if (typeof passage === "string") {
    return (
      <p>
        <Words text={passage} />
      </p>
    );
  }
  return (
    <ul className={styles.points}>
      {passage.map((point) => (
        <li key={point} className={styles.point}>
          <Words text={point} />
        </li>
      ))}
    </ul>
  );
}

/** The chapter an address names is shown when the text has come, which is later than the browser looked for it. */
function useNamedChapter(): void {
  useEffect(() => {
    const id = decodeURIComponent(window.location.hash.slice(1));
    if (id) document.getElementById(id)?.scrollIntoView();
  }, []);
}

/**
 * Shows a chapter without a step of the history, so that back still leads out of the text; the address names the
 * chapter all the same, for whoever sends it on.
 */
function showChapter(event: MouseEvent, id: string): void {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  window.history.replaceState(window.history.state, "", `#${id}`);
  const title = document.getElementById(`${id}-title`);
  document.getElementById(id)?.scrollIntoView();
  // Where the eye goes, the keyboard and the screen reader go too.
  title?.focus({ preventScroll: true });
}

/** A legal text with its contents; back goes to the account. */
export function Legal({ text }: { readonly text: LegalText }) {
  useNamedChapter();
  return (
    <Screen title={text.title} back={paths.account}>
      {text.updated ? <p className={styles.updated}>{text.updated}</p> : null}
      <p>{text.summary}</p>
      <nav className={styles.contents} aria-label={text.contents}>
        <ol>
          {text.chapters.map(({ id, title }) => (
            <li key={id}>
              <a href={`#${id}`} onClick={(event) => showChapter(event, id)}>
                {title}
              </a>
            </li>
          ))}
        </ol>
      </nav>
      {text.chapters.map(({ id, title, passages }) => (
        <section key={id} id={id} className={styles.chapter} aria-labelledby={`${id}-title`}>
          <h2 id={`${id}-title`} className={styles.title} tabIndex={-1}>
            {title}
          </h2>
          {passages.map((passage) => (
            <Passage key={typeof passage === "string" ? passage : passage[0]} passage={passage} />
          ))}
        </section>
      ))}
    </Screen>
  );
}
