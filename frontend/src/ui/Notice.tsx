import type { ReactNode } from "react";
import styles from "./Notice.module.css";

interface NoticeProps {
  readonly art?: ReactNode;
  readonly title: string;
  /** The notice is the whole page, so its title is the page's heading. */
  readonly page?: boolean;
  readonly text?: string | undefined;
  readonly action?: ReactNode;
}

/** Shown in place of missing content: a picture, the reason, and an action. */
export function Notice({ art, title, page = false, text, action }: NoticeProps) {
  const Title = page ? "h1" : "p";
  return (
    <div className={styles.notice}>
      {art ? <div className={styles.art}>{art}</div> : null}
      <Title className={styles.title}>{title}</Title>
      {text ? <p className={styles.text}>{text}</p> : null}
      {action}
    </div>
  );
}
