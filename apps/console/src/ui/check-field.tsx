import styles from './field.module.css';

interface Props {
  readonly name: string;
  readonly label: string;
  readonly checked: boolean;
}

/** A choice of yes or no: the form has `on` under the name if it is checked. */
export function CheckField({ name, label, checked }: Props) {
  return (
    <label className={styles['check']}>
      <input type="checkbox" name={name} defaultChecked={checked} />
      {label}
    </label>
  );
}
