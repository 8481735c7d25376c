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

/** Elements of which the first gets the initial focus. */
const FIELDS = 'input:not([type=hidden]), select, textarea';

/**
 * A native dialog: the browser traps the focus and detects Escape. The component is mounted while the dialog is open;
 * afterwards, the previous element gets the focus again.
 */
export function Dialog({ title, onClose, children, canLeave = true }: Props) {
  const place = useRef<HTMLDialogElement>(null);
  // The browser manages the open state of a dialog, so this state is not set with an attribute.
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
