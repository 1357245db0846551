import { type MouseEvent, type ReactNode, useEffect, useState } from "react";
import { legalTexts, loadLegalTexts } from "@/app/legalTexts";
import type { LegalText, LegalTranslation, Passage as PassageText } from "@/app/locales/legal.en";
import { paths } from "@/app/paths";
import { CONTACT_EMAIL } from "@/lib/env";
import { t } from "@/lib/i18n/i18n";
import { currentLanguage, type Language } from "@/lib/i18n/language";
import { useGoBack, useReturn } from "@/lib/navigation";
import { useSignedIn } from "@/lib/session/useSession";
import { toast } from "@/lib/toast";
import { Button } from "@/ui/Button";
import { DumaCard } from "@/ui/DumaCard";
import { Screen } from "@/ui/Screen";
import styles from "./legal.module.css";

/** A text with the contact address in place of its placeholder, and its English words named as such. */
function RichText({ text }: { readonly text: string }) {
  return text.split(/(\{contact\}|<en>.*?<\/en>)/).map((part) => {
    if (part === "{contact}")
      return (
        <a key={part} href={`mailto:${CONTACT_EMAIL}`}>
          {CONTACT_EMAIL}
        </a>
      );
    const [, english] = /^<en>(.*)<\/en>$/.exec(part) ?? [];
    return english ? (
      <span key={part} lang="en">
        {english}
      </span>
    ) : (
      part
    );
  });
}

/** A paragraph, or the items of a list. */
function Passage({ passage }: { readonly passage: PassageText }) {
  if (typeof passage === "string") {
    return (
      <p>
        <RichText text={passage} />
      </p>
    );
  }
  return (
    <ul className={styles.points}>
      {passage.map((point) => (
        <li key={point} className={styles.point}>
          <RichText text={point} />
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

/** Back opens the account. A guest has no account, and returns to the screen that linked here, which is the login. */
function useBack(): () => void {
  const toAccount = useReturn(paths.account);
  const toPrevious = useGoBack(paths.login);
  return useSignedIn() ? toAccount : toPrevious;
}

interface LegalProps {
  readonly title: string;
  readonly text: LegalText;
  readonly language: Language;
  /** Stands above the text. */
  readonly note?: ReactNode;
}

/** A legal text with its table of contents. */
export function Legal({ title, text, language, note }: LegalProps) {
  useChapterFromHash();
  const back = useBack();
  return (
    <Screen title={title} back={back}>
      {note}
      <div lang={language} className={styles.text}>
        <DumaCard world="ajua" pose="look">
          <p>{text.summary}</p>
          {text.updated ? <p className={styles.date}>{text.updated}</p> : null}
        </DumaCard>
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

interface BindingNoteProps {
  readonly translation: LegalTranslation;
  readonly isEnglish: boolean;
  readonly onChange: (isEnglish: boolean) => void;
}

/** Says on a translation that the English text is the binding one, and shows it. */
function BindingNote({ translation, isEnglish, onChange }: BindingNoteProps) {
  const [isLoading, setLoading] = useState(false);
  const change = async () => {
    setLoading(true);
    try {
      await loadLegalTexts("en");
      onChange(!isEnglish);
    } catch {
      toast.error(t("fault.offline"));
    } finally {
      setLoading(false);
    }
  };
  return (
    <aside className={styles.note}>
      <p>{translation.note}</p>
      <Button variant="plain" busy={isLoading} onClick={() => void change()}>
        {isEnglish ? translation.toTranslation : translation.toEnglish}
      </Button>
    </aside>
  );
}

/** A legal text in the player's language. */
export function LegalScreen({ name }: { readonly name: "privacy" | "terms" }) {
  const [isEnglish, setEnglish] = useState(false);
  const own = currentLanguage();
  const { translation, [name]: text } = legalTexts(own);
  const shown = isEnglish ? "en" : own;
  const note = translation ? (
    <BindingNote translation={translation} isEnglish={isEnglish} onChange={setEnglish} />
  ) : null;
  return <Legal title={text.title} text={legalTexts(shown)[name]} language={shown} note={note} />;
}
