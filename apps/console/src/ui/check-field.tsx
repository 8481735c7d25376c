import styles from './field.module.css';

interface Props {
  readonly name: string;
  readonly label: string;
  readonly checked: boolean;
}

/** A checkbox: if it is checked, the form has the value `on` under its name. */
export function CheckField({ name, label, checked }: Props) {
  return (
    <label className={styles['check']}>
      <input type="checkbox" name={name} defaultChecked={checked} />
      {label}
    </label>
  );
}
