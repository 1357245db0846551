import { paths } from "@/app/paths";
import { Screen } from "@/ui/Screen";
import styles from "./legal.module.css";

export interface LegalText {
  readonly title: string;
  readonly updated?: string;
  readonly sections: readonly { readonly title: string; readonly text: string }[];
}

/** A legal text; back goes to the account. */
export function Legal({ text }: { readonly text: LegalText }) {
  return (
    <Screen title={text.title} back={paths.account}>
      {text.updated ? <p className={styles.updated}>{text.updated}</p> : null}
      {text.sections.map((section) => (
        <section key={section.title} className={styles.section}>
          <h2 className={styles.title}>{section.title}</h2>
          <p>{section.text}</p>
        </section>
      ))}
    </Screen>
  );
}
