import { type MouseEvent, useEffect } from "react";
import type { LegalText, Passage as PassageText } from "@/app/locales/legal.en";
import { paths } from "@/app/paths";
import { CONTACT_EMAIL } from "@/lib/env";
import { t } from "@/lib/i18n/i18n";
import { currentLanguage } from "@/lib/i18n/language";
import { useGoBack, useReturn } from "@/lib/navigation";
import { useSignedIn } from "@/lib/session/useSession";
import { Screen } from "@/ui/Screen";
import styles from "./legal.module.css";

const CONTACT = "{contact}";

/** A text with the contact address in place of its placeholder. */
function ContactText({ text }: { readonly text: string }) {
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
        <ContactText text={passage} />
      </p>
    );
  }
  return (
    <ul className={styles.points}>
      {passage.map((point) => (
        <li key={point} className={styles.point}>
          <ContactText text={point} />
        </li>
      ))}
    </ul>
  );
}

/** Scrolls to the hash's chapter after rendering, because the text is loaded after the browser looked for it. */
function useChapterFromHash(): void {
  useEffect(() => {
    const id = decodeURIComponent(window.location.hash.slice(1));
    if (id) document.getElementById(id)?.scrollIntoView();
  }, []);
}

/**
 * Scrolls to a chapter without a history entry, so that back still leaves the page. The URL names the chapter, so that
 * it can be shared.
 */
function showChapter(event: MouseEvent, id: string): void {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  window.history.replaceState(window.history.state, "", `#${id}`);
  const title = document.getElementById(`${id}-title`);
  document.getElementById(id)?.scrollIntoView();
  // Keyboard and screen reader continue from the chapter's title.
  title?.focus({ preventScroll: true });
}

/** Back opens the account. A guest has none, and returns to the screen that linked here, which is the login. */
function useBack(): () => void {
  const toAccount = useReturn(paths.account);
  const toPrevious = useGoBack(paths.login);
  return useSignedIn() ? toAccount : toPrevious;
}

/** A legal text with its table of contents. */
export function Legal({ text }: { readonly text: LegalText }) {
  useChapterFromHash();
  const back = useBack();
  return (
    <Screen title={text.title} back={back}>
      {currentLanguage() === "en" ? null : <p className={styles.updated}>{t("legal.inEnglish")}</p>}
      <div lang="en" className={styles.text}>
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
      </div>
    </Screen>
  );
}
