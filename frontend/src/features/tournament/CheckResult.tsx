import { ExternalLink, ShieldCheck } from "lucide-react";
import { t } from "@/lib/i18n/i18n";
import { currentLanguage } from "@/lib/i18n/language";
import { webUrl } from "@/lib/webUrl";
import styles from "./CheckResult.module.css";

interface CheckResultProps {
  /** The page that replays the winning runs; null until the board is final. */
  readonly url: string | null;
}

/** Leads to the page on which anybody checks a final board. It opens beside the app, because it does not belong to it. */
export function CheckResult({ url }: CheckResultProps) {
  const page = url === null ? null : webUrl(url);
  if (!page) return null;
  page.hash = `${page.hash}&lang=${currentLanguage()}`;
  return (
    <a className={styles.link} href={page.href} target="_blank" rel="noopener noreferrer">
      <ShieldCheck size={24} strokeWidth={2.25} aria-hidden="true" />
      <span>
        <strong className={styles.title}>{t("board.check")}</strong>
        {t("board.check.text")}
      </span>
      <ExternalLink size={18} aria-hidden="true" />
    </a>
  );
}
