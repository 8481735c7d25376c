import styles from './field.module.css';

interface Props {
  readonly name: string;
  readonly label: string;
  readonly checked: boolean;
}

/** A yes/no choice: if it is checked, the form contains `on` under its name. */
export function CheckField({ name, label, checked }: Props) {
  return (
    <label className={styles['check']}>
      <input type="checkbox" name={name} defaultChecked={checked} />
      {label}
    </label>
  );
}
