import { useState, type ComponentProps, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { Button } from './button.tsx';

interface Props extends Pick<ComponentProps<typeof Button>, 'look' | 'disabledReason'> {
  readonly label: string;
  /** The dialog, mounted while it is open. */
  readonly children: (close: () => void) => ReactNode;
}

/**
 * A button that opens a dialog over the page. The dialog is rendered outside the row or heading that contains the
 * button.
 */
export function DialogButton({ label, children, ...button }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button {...button} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen &&
        createPortal(
          children(() => setOpen(false)),
          document.body,
        )}
    </>
  );
}
