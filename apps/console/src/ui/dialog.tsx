import { useEffect, useRef, type ReactNode } from 'react';
import { Button } from './button.tsx';
import styles from './dialog.module.css';

interface Props {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /**
   * If false, the dialog has no close button and ignores Escape, so that only its content can close it; for data that
   * is shown once.
   */
  readonly canLeave?: boolean;
}

/** Elements that get the initial focus. */
const FIELDS = 'input:not([type=hidden]), select, textarea';

/**
 * A dialog of the browser, which traps the focus, handles Escape, and restores the focus. It is mounted for as long as
 * it is open.
 */
export function Dialog({ title, onClose, children, canLeave = true }: Props) {
  const place = useRef<HTMLDialogElement>(null);
  // The browser manages the open state of a dialog, so it is not set with an attribute.
  useEffect(() => {
    const dialog = place.current;
    const former = document.activeElement;
    dialog?.showModal();
    // By default, the browser would focus the button that closes the dialog.
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
