import type { FormEvent, ReactNode } from 'react';
import styles from './filters.module.css';

interface Props {
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  /** Labels with their fields, and the button. */
  readonly children: ReactNode;
}

/** What narrows a list; it counts when it is sent. */
export function Filters({ onSubmit, children }: Props) {
  return (
    <form className={styles['filters']} onSubmit={onSubmit} aria-label="Filters">
      {children}
    </form>
  );
}
