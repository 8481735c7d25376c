import { useRouter } from '@tanstack/react-router';
import { useId, useState, type KeyboardEvent } from 'react';
import type { User } from '../api/answers.ts';
import { useIsOperator } from '../queries/deployment.ts';
import { Dialog } from '../ui/dialog.tsx';
import fieldStyles from '../ui/field.module.css';
import { listEntries } from './palette-entries.ts';
import styles from './palette.module.css';

interface Props {
  readonly user: User;
  readonly onClose: () => void;
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** Offers the screens whose name contains the typed text, and a search for the text. */
export function Palette({ user, onClose }: Props) {
  const id = useId();
  const router = useRouter();
  const [text, setText] = useState('');
  const [place, setPlace] = useState(0);
  const entries = listEntries(text, user.permissions, useIsOperator());
  const chosen = Math.min(place, entries.length - 1);

  function go(index: number): void {
    const entry = entries[index];
    if (entry === undefined) return;
    onClose();
    router.history.push(entry.href);
  }

  function read(event: KeyboardEvent): void {
    const step = STEPS[event.key];
    if (step !== undefined) setPlace((chosen + step + entries.length) % Math.max(1, entries.length));
    else if (event.key === 'Enter') go(chosen);
    else return;
    event.preventDefault();
  }

  return (
    <Dialog title="Search or jump to" onClose={onClose}>
      <input
        className={`${fieldStyles['large']} ${styles['input']}`}
        role="combobox"
        aria-label="Search or jump to"
        aria-expanded
        aria-controls={id}
        aria-activedescendant={`${id}-${chosen}`}
        autoComplete="off"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setPlace(0);
        }}
        onKeyDown={read}
      />
      <div id={id} role="listbox" aria-label="Pages" className={styles['entries']}>
        {entries.map(({ name, href, keys }, index) => (
          // The input above handles the keys.
          // eslint-disable-next-line jsx-a11y/click-events-have-key-events
          <div
            key={href}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === chosen}
            onClick={() => go(index)}
            tabIndex={-1}
          >
            {name}
            {keys !== undefined && <kbd>{keys}</kbd>}
          </div>
        ))}
      </div>
    </Dialog>
  );
}
