import { useMemo, type ReactNode } from 'react';
import { useShortcuts } from '../keyboard/use-shortcuts.ts';
import { Button } from './button.tsx';
import styles from './peek.module.css';

/** A list with the opened item next to it or, in a narrow window, above it. */
export function Beside({ children, peek }: { readonly children: ReactNode; readonly peek: ReactNode }) {
  return (
    <div className={styles['beside']}>
      <div className={styles['list']}>{children}</div>
      {peek}
    </div>
  );
}

interface Props {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Details of an item next to its list, which stays in place. */
export function Peek({ title, onClose, children }: Props) {
  useShortcuts(useMemo(() => ({ Escape: onClose }), [onClose]));
  return (
    <aside className={styles['peek']} aria-label={title}>
      <header className={styles['head']}>
        <h2>{title}</h2>
        <Button look="quiet" onClick={onClose}>
          Close
        </Button>
      </header>
      {children}
    </aside>
  );
}
