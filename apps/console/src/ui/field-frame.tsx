import { useId, type ReactNode } from 'react';
import styles from './field.module.css';

export interface FieldFacts {
  readonly label: string;
  readonly hint?: string | undefined;
  /** The service's error about this field. */
  readonly error?: string | undefined;
}

interface FieldNames {
  readonly id: string;
  readonly 'aria-invalid': true | undefined;
  readonly 'aria-describedby': string | undefined;
}

/** Frame of an input of any kind: its label, its hint and its error, linked for screen readers. */
export function FieldFrame({
  label,
  hint,
  error,
  children,
}: FieldFacts & { readonly children: (names: FieldNames) => ReactNode }) {
  const id = useId();
  const described = [hint === undefined ? '' : `${id}-hint`, error === undefined ? '' : `${id}-error`].join(' ').trim();
  return (
    <div className={styles['field']}>
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        'aria-invalid': error === undefined ? undefined : true,
        'aria-describedby': described === '' ? undefined : described,
      })}
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
