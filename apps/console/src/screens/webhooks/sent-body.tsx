import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { sentEventQuery } from '../../queries/webhooks.ts';
import { Loaded } from '../../ui/loaded.tsx';
import styles from './webhooks.module.css';

/** The posted headers and body, read when the user opens them. */
export function SentBody({ eventId }: { readonly eventId: string }) {
  const [isOpen, setOpen] = useState(false);
  const query = useQuery({ ...sentEventQuery(eventId), enabled: isOpen });
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Sent request</summary>
      <Loaded what="the event" query={query}>
        {({ headers, body }) => (
          <>
            <pre className={styles['sent']}>
              {Object.entries(headers)
                .map(([name, value]) => `${name}: ${String(value)}`)
                .join('\n')}
            </pre>
            <pre className={styles['sent']}>{indent(body)}</pre>
          </>
        )}
      </Loaded>
    </details>
  );
}

/** Indents the body for display; the signed bytes have no white space. */
function indent(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
