import { useQueryClient } from "@tanstack/react-query";
import { Languages } from "lucide-react";
import { useState, useSyncExternalStore } from "react";
import { changeLanguage, onLanguageChange, t } from "@/lib/i18n/i18n";
import { currentLanguage, LANGUAGES, type Language } from "@/lib/i18n/language";
import { toast } from "@/lib/toast";
import { Row } from "@/ui/Rows";
import { Tile } from "@/ui/Tile";
import styles from "./LanguageSwitch.module.css";

/** The name of each language in that language, so that its speakers find it. */
const NAMES: Readonly<Record<Language, string>> = { en: "English", sw: "Kiswahili" };

/** A row in which the player chooses the language of this device. The screen changes once the texts have loaded. */
export function LanguageSwitch() {
  const current = useSyncExternalStore(onLanguageChange, currentLanguage);
  const queryClient = useQueryClient();
  const [coming, setComing] = useState<Language | null>(null);
  const choose = async (language: Language) => {
    setComing(language);
    try {
      await changeLanguage(language);
      // The replies that were fetched before have texts in the other language. A reset alone would put the data back
      // with which a query began, which a page takes from the list that it was opened from.
      queryClient.removeQueries({ type: "inactive" });
      void queryClient.resetQueries();
    } catch {
      toast.error(t("fault.offline"));
    } finally {
      setComing(null);
    }
  };
  return (
    <Row
      icon={
        <Tile tone="coral">
          <Languages size={22} strokeWidth={2.25} aria-hidden="true" />
        </Tile>
      }
      title={t("account.language")}
      trailing={
        // biome-ignore lint/a11y/useSemanticElements: a fieldset would add a second name to the row
        <span className={styles.choices} role="group" aria-label={t("account.language")}>
          {LANGUAGES.map((language) => (
            <button
              key={language}
              type="button"
              lang={language}
              className={styles.choice}
              aria-pressed={(coming ?? current) === language}
              onClick={() => void choose(language)}
            >
              {NAMES[language]}
            </button>
          ))}
        </span>
      }
    />
  );
}
