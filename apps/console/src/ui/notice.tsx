import type { ReactNode } from 'react';
import styles from './notice.module.css';

interface Props {
  readonly tone: 'info' | 'warn' | 'bad' | 'ok';
  readonly children: ReactNode;
  /** Of what happens while the page is open; what was there from the start is read in its place. */
  readonly isNews?: boolean;
}

const WORDS = { info: 'Note', warn: 'Warning', bad: 'Error', ok: 'Done' } as const;

/** A message with its weight in a word, not in colour alone. */
export function Notice({ tone, children, isNews = false }: Props) {
  return (
    <div
      className={`${styles['notice']} ${styles[tone]}`}
      role={!isNews ? undefined : tone === 'bad' ? 'alert' : 'status'}
    >
      <strong>{WORDS[tone]}: </strong>
      {children}
    </div>
  );
}
