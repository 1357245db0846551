import { useEffect } from "react";
import { paths } from "@/app/paths";
import type { LegalText, Passage as PassageText } from "@/locales/en.legal";
import { Screen } from "@/ui/Screen";
import styles from "./legal.module.css";

/** A paragraph, or the items of a list. */
function Passage({ passage }: { readonly passage: PassageText }) {
  if (typeof passage === "string") return <p>{passage}</p>;
  return (
    <ul className={styles.points}>
      {passage.map((point) => (
        <li key={point} className={styles.point}>
          {point}
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
              <a href={`#${id}`}>{title}</a>
            </li>
          ))}
        </ol>
      </nav>
      {text.chapters.map(({ id, title, passages }) => (
        <section key={id} id={id} className={styles.chapter} aria-labelledby={`${id}-title`}>
          <h2 id={`${id}-title`} className={styles.title}>
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
