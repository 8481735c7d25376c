import { useRef, useState } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import styles from './stack.module.css';

interface Props {
  readonly title: string;
  readonly secret: string;
  /** Instructions for using the secret. */
  readonly hint?: string;
  /** Label of the button that copies the secret. */
  readonly action?: string;
  readonly onStored: () => void;
}

const HINT = 'The secret is shown only once. Store it where the program that uses it can read it.';

/**
 * A secret that is shown once: the user has to confirm that it is stored. Afterwards, the page no longer contains the
 * secret.
 */
export function SecretOnce({ title, secret, hint = HINT, action = 'Copy secret', onStored }: Props) {
  const place = useRef<HTMLElement>(null);
  const [isCopied, setCopied] = useState(false);

  async function copy(): Promise<void> {
    const { clipboard } = navigator as { readonly clipboard?: Clipboard };
    // The clipboard is not available on plain HTTP (except on localhost): the text is selected for manual copying
    // instead.
    if (clipboard === undefined) {
      if (place.current !== null) getSelection()?.selectAllChildren(place.current);
      return;
    }
    await clipboard.writeText(secret);
    setCopied(true);
  }

  return (
    <Dialog title={title} onClose={onStored} canLeave={false}>
      <div className={styles['stack']}>
        <p>{hint}</p>
        <code ref={place}>{secret}</code>
        <div className={styles['actions']}>
          <Button onClick={() => void copy()}>{action}</Button>
          <Button look="primary" onClick={onStored}>
            I have stored it
          </Button>
        </div>
        <p role="status">{isCopied ? 'Copied.' : ''}</p>
      </div>
    </Dialog>
  );
}
