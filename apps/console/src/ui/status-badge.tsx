import styles from './status-badge.module.css';

export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'none';

/** States of a kind: the tone and the word of each. */
export type States<State extends string> = Readonly<Record<State, readonly [Tone, string]>>;

const SIGNS: Readonly<Record<Tone, string>> = { ok: '✓', warn: '!', bad: '✕', info: '…', none: '–' };

/** A state by its word and a sign; its colour says nothing that these do not. */
export function StatusBadge({ tone, children }: { readonly tone: Tone; readonly children: string }) {
  return (
    <span className={`${styles['badge']} ${styles[tone]}`}>
      <span aria-hidden="true">{SIGNS[tone]}</span> {children}
    </span>
  );
}

/** The words alone, to choose from. */
export const listWords = (states: States<string>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(states).map(([state, [, word]]) => [state, word]));
