import styles from "./RadioTiles.module.css";

interface RadioTilesProps<T extends string> {
  readonly legend: string;
  /** The values, each with its label. */
  readonly labels: readonly (readonly [value: T, label: string])[];
  readonly chosen: T;
  readonly onChoose: (value: T) => void;
}

/** A choice among few values, two tiles to a row. */
export function RadioTiles<T extends string>({ legend, labels, chosen, onChoose }: RadioTilesProps<T>) {
  return (
    <fieldset className={styles.tiles}>
      <legend className="visually-hidden">{legend}</legend>
      {labels.map(([value, label]) => (
        <label key={value} className={styles.tile}>
          <input
            type="radio"
            name={legend}
            className="visually-hidden"
            checked={chosen === value}
            onChange={() => onChoose(value)}
          />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  );
}
