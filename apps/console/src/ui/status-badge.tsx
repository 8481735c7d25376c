import styles from './status-badge.module.css';

export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'none';

/** The states of one kind of object, each with its tone and label. */
export type States<State extends string> = Readonly<Record<State, readonly [Tone, string]>>;

const SIGNS: Readonly<Record<Tone, string>> = { ok: '✓', warn: '!', bad: '✕', info: '…', none: '–' };

/** Shows a state with a label and an icon; the color adds no information. */
export function StatusBadge({ tone, children }: { readonly tone: Tone; readonly children: string }) {
  return (
    <span className={`${styles['badge']} ${styles[tone]}`}>
      <span aria-hidden="true">{SIGNS[tone]}</span> {children}
    </span>
  );
}

/** Returns the labels of the states, for use as options of a select. */
export const listWords = (states: States<string>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(states).map(([state, [, word]]) => [state, word]));
