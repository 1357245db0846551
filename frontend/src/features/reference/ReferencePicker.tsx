import { Search } from "lucide-react";
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useMemo, useState } from "react";
import { t } from "@/lib/i18n/i18n";
import { useLastError } from "@/lib/recovery";
import { Button } from "@/ui/Button";
import { Duma } from "@/ui/Duma";
import { Failed } from "@/ui/Failed";
import { Notice } from "@/ui/Notice";
import { Skeleton } from "@/ui/Skeleton";
import { ChoiceList, choiceId } from "./ChoiceList";
import { type Choice, type Group, groupChoices, isSearch, type ReferenceType, searchChoices } from "./model";
import styles from "./Reference.module.css";
import { useChoices } from "./useChoices";

interface ReferencePickerProps {
  readonly type: ReferenceType;
  readonly selected: string | null;
  /** The value that is being saved. Nothing else can be chosen meanwhile. */
  readonly saving: string | null;
  readonly onChoose: (value: string) => void;
}

const SKELETONS = ["a", "b", "c", "d", "e", "f", "g", "h"];

function groupsOf(type: ReferenceType, choices: readonly Choice[], query: string, selected: string | null) {
  if (isSearch(query)) return [{ name: "", choices: searchChoices(choices, query) }];
  const rest = t(`picker.${type}.rest`);
  return groupChoices(choices, selected, t("picker.suggested")).map((group): Group => {
    return group.name === "" ? { ...group, name: rest } : group;
  });
}

/** The active choice of a list and its keyboard handling. */
function useActiveChoice(values: readonly string[], isSearching: boolean, onChoose: (value: string) => void) {
  const [moved, setMoved] = useState<string | null>(null);
  // A search activates its best match; without a search nothing is active until an arrow key is pressed.
  const offered = isSearching ? (values[0] ?? null) : null;
  const active = moved !== null && values.includes(moved) ? moved : offered;
  const move = (step: number) => {
    const from = active === null ? (step > 0 ? -1 : values.length) : values.indexOf(active);
    setMoved(values[Math.min(Math.max(from + step, 0), values.length - 1)] ?? null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter also confirms an input method's composition, which is not a choice.
    if (event.nativeEvent.isComposing) return;
    if (event.key === "ArrowDown") move(1);
    else if (event.key === "ArrowUp") move(-1);
    else if (event.key === "Enter" && active !== null) onChoose(active);
    else return;
    event.preventDefault();
  };
  return { active, onKeyDown, reset: () => setMoved(null) };
}

/** A searchable list of all currencies or countries, with the player's own one marked. */
export function ReferencePicker({ type, selected, saving, onChoose }: ReferencePickerProps) {
  const listId = useId();
  const all = useChoices(type);
  const error = useLastError(all);
  const [typed, setTyped] = useState("");
  // Typed letters render at once; the list follows with lower priority.
  const query = useDeferredValue(typed);
  const groups = useMemo(
    () => groupsOf(type, all.data ?? [], query, selected),
    [type, all.data, query, selected],
  );
  const values = useMemo(() => groups.flatMap(({ choices }) => choices.map(({ value }) => value)), [groups]);
  const { active, onKeyDown, reset } = useActiveChoice(values, isSearch(query), onChoose);
  const activeId = active === null ? undefined : choiceId(listId, active);
  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: "nearest" });
  }, [activeId]);
  const search = (text: string) => {
    setTyped(text);
    reset();
    // Scroll up, because the best match is at the top.
    window.scrollTo({ top: 0 });
  };
  const title = t(`picker.${type}.title`);
  return (
    <>
      <div className={styles.search}>
        <Search size={20} aria-hidden="true" />
        <input
          type="search"
          role="combobox"
          aria-label={t(`picker.${type}.search`)}
          aria-expanded={values.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={activeId}
          placeholder={t(`picker.${type}.search`)}
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="done"
          className={styles.input}
          value={typed}
          onChange={(event) => search(event.target.value)}
          onKeyDown={onKeyDown}
        />
      </div>
      <p role="status" className={styles.visuallyHidden}>
        {isSearch(query) && all.data ? t("picker.found", { count: values.length }) : ""}
      </p>
      {error && !all.data ? (
        <Failed error={error} busy={all.isFetching} onRetry={() => void all.refetch()} />
      ) : !all.data ? (
        <div className={styles.group} role="status" aria-label={t("ui.loading")}>
          {SKELETONS.map((each) => (
            <Skeleton key={each} height={52} />
          ))}
        </div>
      ) : values.length === 0 ? (
        <Notice
          art={<Duma pose="look" size={176} />}
          title={t("ui.empty")}
          action={
            typed === "" ? null : (
              <Button variant="quiet" onClick={() => search("")}>
                {t("picker.clear")}
              </Button>
            )
          }
        />
      ) : (
        <ChoiceList
          id={listId}
          label={title}
          groups={groups}
          selected={selected}
          active={active}
          saving={saving}
          onChoose={onChoose}
        />
      )}
    </>
  );
}
