import styles from './field.module.css';

interface Props {
  readonly legend: string;
  /** Names of the choices; each is a separate form field, with the value `on` if it is checked. */
  readonly names: readonly string[];
  readonly ticked?: readonly string[];
}

/**
 * A multiple choice, labeled with the names used in the API; the names of permissions are shown with spaces instead of
 * underscores.
 */
export function CheckList({ legend, names, ticked = [] }: Props) {
  return (
    <fieldset className={styles['checks']}>
      <legend>{legend}</legend>
      {names.map((name) => (
        <label key={name} className={styles['check']}>
          <input type="checkbox" name={name} defaultChecked={ticked.includes(name)} />
          <span>{name.includes('.') ? name : name.replaceAll('_', ' ')}</span>
        </label>
      ))}
    </fieldset>
  );
}
