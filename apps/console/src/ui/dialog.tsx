import { useEffect, useRef, type ReactNode } from 'react';
import { Button } from './button.tsx';
import styles from './dialog.module.css';

interface Props {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Without it only what is inside closes it, not Escape: for what is shown once. */
  readonly canLeave?: boolean;
}

/** Where somebody begins who is asked something. */
const FIELDS = 'input:not([type=hidden]), select, textarea';

/** The browser's own: it keeps the focus inside, knows Escape, and gives the focus back. There as long as it is open. */
export function Dialog({ title, onClose, children, canLeave = true }: Props) {
  const place = useRef<HTMLDialogElement>(null);
  // Whether a dialog is open is a matter of the browser's, not of an attribute.
  useEffect(() => {
    const dialog = place.current;
    const former = document.activeElement;
    dialog?.showModal();
    // The browser would begin with the button that closes it.
    dialog?.querySelector<HTMLElement>(FIELDS)?.focus();
    return () => {
      dialog?.close();
      if (former instanceof HTMLElement) former.focus();
    };
  }, []);
  return (
    <dialog
      ref={place}
      className={styles['dialog']}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        if (canLeave) onClose();
      }}
    >
      <header className={styles['head']}>
        <h2>{title}</h2>
        {canLeave && (
          <Button look="quiet" onClick={onClose}>
            Close
          </Button>
        )}
      </header>
      {children}
    </dialog>
  );
}
