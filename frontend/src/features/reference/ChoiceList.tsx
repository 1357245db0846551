import { Check } from "lucide-react";
import { memo, type ReactNode, useId } from "react";
import type { Choice, Group } from "./model";
import styles from "./Reference.module.css";

interface ChoiceListProps {
  readonly id: string;
  readonly label: string;
  readonly groups: readonly Group[];
  readonly selected: string | null;
  /** The value of the choice that the arrow keys have reached. */
  readonly active: string | null;
  /** The value of the choice that is being saved. */
  readonly saving: string | null;
  readonly onChoose: (value: string) => void;
}

/** The id of a choice's element, for the search field's aria-activedescendant. */
export function choiceId(list: string, value: string): string {
  return `${list}-${value}`;
}

/**
 * A listbox in groups. The focus stays in the search field above, which marks the active choice by
 * `aria-activedescendant`; touch and screen readers press the choices themselves.
 */
export function ChoiceList({ id, label, groups, selected, active, saving, onChoose }: ChoiceListProps) {
  return (
    <div role="listbox" id={id} aria-label={label} aria-busy={saving !== null} className={styles.list}>
      {groups.map((group) => (
        <ChoiceGroup key={group.name} name={group.name}>
          {group.choices.map((choice) => (
            <ChoiceRow
              key={choice.value}
              id={choiceId(id, choice.value)}
              choice={choice}
              isSelected={choice.value === selected}
              isActive={choice.value === active}
              isSaving={choice.value === saving}
              onChoose={onChoose}
            />
          ))}
        </ChoiceGroup>
      ))}
    </div>
  );
}

function ChoiceGroup({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  const id = useId();
  if (name === "") return <div className={styles.group}>{children}</div>;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a listbox must not contain a fieldset
    <div role="group" aria-labelledby={id} className={styles.group}>
      <p id={id} className={styles.heading}>
        {name}
      </p>
      {children}
    </div>
  );
}

interface ChoiceRowProps {
  readonly id: string;
  readonly choice: Choice;
  readonly isSelected: boolean;
  readonly isActive: boolean;
  readonly isSaving: boolean;
  readonly onChoose: (value: string) => void;
}

// Memoised: of 250 rows only two change when the active choice moves.
const ChoiceRow = memo(function ChoiceRow(row: ChoiceRowProps) {
  const { id, choice, isSelected, isActive, isSaving, onChoose } = row;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard chooses from the search field
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the search field
    <div
      role="option"
      id={id}
      aria-selected={isSelected}
      data-active={isActive || undefined}
      data-saving={isSaving || undefined}
      className={styles.choice}
      onClick={() => onChoose(choice.value)}
    >
      <span className={styles.name}>{choice.name}</span>{" "}
      <span className={styles.code}>{choice.codes[0]}</span>
      {isSaving || isSelected ? (
        <span className={styles.mark} aria-hidden="true">
          {isSaving ? <span className={styles.spinner} /> : <Check size={20} />}
        </span>
      ) : null}
    </div>
  );
});
