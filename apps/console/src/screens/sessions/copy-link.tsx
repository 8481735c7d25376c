import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import styles from './sessions.module.css';

const route = getRouteApi('/inside/sessions/$sessionId');

/**
 * Copies the address of an entry, so that it can be sent to another user of the account. Without a clipboard (on plain
 * HTTP, except on localhost), the address is shown to be copied by hand.
 */
export function CopyLink({ entryId }: { readonly entryId: string }) {
  const { sessionId } = route.useParams();
  const [outcome, setOutcome] = useState<'copied' | 'shown'>();
  const address = `${location.origin}/sessions/${encodeURIComponent(sessionId)}?at=${encodeURIComponent(entryId)}`;

  async function copy(): Promise<void> {
    const { clipboard } = navigator as { readonly clipboard?: Clipboard };
    try {
      await clipboard?.writeText(address);
      setOutcome(clipboard === undefined ? 'shown' : 'copied');
    } catch {
      // The browser or the user refused access to the clipboard.
      setOutcome('shown');
    }
  }

  return (
    <span className={styles['link']}>
      <Button look="quiet" onClick={() => void copy()}>
        Copy link
      </Button>
      <span role="status">{outcome === 'copied' && 'Copied.'}</span>
      {outcome === 'shown' && <code>{address}</code>}
    </span>
  );
}
