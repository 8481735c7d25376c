import type { ReactNode } from 'react';
import styles from './notice.module.css';

interface Props {
  readonly tone: 'info' | 'warn' | 'bad' | 'ok';
  readonly children: ReactNode;
  /**
   * Whether screen readers announce the notice; set for notices that appear while the page is open. A notice that is
   * present from the start is read at its position.
   */
  readonly isNews?: boolean;
}

const WORDS = { info: 'Note', warn: 'Warning', bad: 'Error', ok: 'Done' } as const;

/** A message whose severity is stated in a word, not only by color. */
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
