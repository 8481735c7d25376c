import { useId, type InputHTMLAttributes } from 'react';
import styles from './field.module.css';

interface Props extends InputHTMLAttributes<HTMLInputElement> {
  readonly label: string;
  readonly name: string;
  readonly hint?: string | undefined;
  /** What the service said about this field. */
  readonly error?: string | undefined;
}

/** A labelled input. What was typed stays in the form; the page reads it when it is sent. */
export function Field({ label, hint, error, ...input }: Props) {
  const id = useId();
  const described = [hint === undefined ? '' : `${id}-hint`, error === undefined ? '' : `${id}-error`].join(' ').trim();
  return (
    <div className={styles['field']}>
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        id={id}
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={described === '' ? undefined : described}
      />
      {hint !== undefined && (
        <p id={`${id}-hint`} className={styles['hint']}>
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p id={`${id}-error`} className={styles['error']} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
