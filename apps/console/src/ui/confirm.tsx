import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { ErrorState } from './error-state.tsx';
import styles from './stack.module.css';

interface Props {
  readonly title: string;
  /** Label of the button. */
  readonly action: string;
  readonly look?: 'primary' | 'danger';
  readonly isBusy?: boolean;
  readonly error?: unknown;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

/** Asks for a confirmation of an action. While the action runs, a further click on its button has no effect. */
export function Confirm({ title, action, look = 'primary', isBusy, error, onConfirm, onClose, children }: Props) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div className={styles['stack']}>
        {children}
        {error !== undefined && error !== null && <ErrorState error={error} />}
        <div className={styles['actions']}>
          <Button look={look} onClick={onConfirm} aria-busy={isBusy}>
            {action}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </div>
    </Dialog>
  );
}
