import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { toApiError } from '../api/api-error.ts';
import type { CreatedEndpoint } from '../api/answers.ts';
import { DialogButton } from '../ui/dialog-button.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Notice } from '../ui/notice.tsx';
import { SecretOnce } from '../ui/secret-once.tsx';
import { EndpointCard } from './endpoint-card.tsx';
import { EndpointForm } from './endpoint-form.tsx';
import { ask, endpointsQuery, hasToken } from './portal-api.ts';
import styles from './portal.module.css';

/** The endpoints of one group, for the holder of the link (HOOK-50). */
export function PortalPage() {
  return <main className={styles['page']}>{hasToken ? <Endpoints /> : <Ended />}</main>;
}

function Ended() {
  return (
    <>
      <h1>Webhooks</h1>
      <Notice tone="info">
        {hasToken ? 'This link has expired or was revoked.' : 'This page was reloaded, or opened without its link.'}{' '}
        Open the page again from the application that led you here.
      </Notice>
    </>
  );
}

function Endpoints() {
  const query = useQuery(endpointsQuery());
  const [created, setCreated] = useState<CreatedEndpoint>();
  if (query.error !== null && toApiError(query.error).status === 401) return <Ended />;
  return (
    <>
      <header className={styles['head']}>
        <h1>Webhooks</h1>
        <DialogButton label="Add endpoint" look="primary">
          {(close) => (
            <EndpointForm
              title="Add endpoint"
              onClose={close}
              onSend={(body) => ask<CreatedEndpoint>('POST', '/endpoints', { body })}
              onSent={setCreated}
            />
          )}
        </DialogButton>
      </header>
      <Loaded what="endpoints" query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <p>An endpoint is a URL of your application that receives events as signed JSON. There is none yet.</p>
          ) : (
            <ul className={styles['list']} aria-label="Endpoints">
              {items.map((endpoint) => (
                <EndpointCard key={endpoint.id} endpoint={endpoint} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {created !== undefined && (
        <SecretOnce title="Signing secret" secret={created.secret} onStored={() => setCreated(undefined)} />
      )}
    </>
  );
}
