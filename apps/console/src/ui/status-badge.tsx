import styles from './status-badge.module.css';

export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'none';

const SIGNS: Readonly<Record<Tone, string>> = { ok: '✓', warn: '!', bad: '✕', info: '…', none: '–' };

/** A state by its word and a sign; its colour says nothing that these do not. */
export function StatusBadge({ tone, children }: { readonly tone: Tone; readonly children: string }) {
  return (
    <span className={`${styles['badge']} ${styles[tone]}`}>
      <span aria-hidden="true">{SIGNS[tone]}</span> {children}
    </span>
  );
}
