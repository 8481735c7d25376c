import { useState } from 'react';
import type { CreatedEndpoint, Endpoint } from '../api/answers.ts';
import { describeEndpoint } from '../screens/webhooks/endpoint-state.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmChange } from '../ui/confirm-change.tsx';
import { DialogButton } from '../ui/dialog-button.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { SecretOnce } from '../ui/secret-once.tsx';
import { StatusBadge } from '../ui/status-badge.tsx';
import { useChange } from '../ui/use-change.ts';
import { Deliveries } from './deliveries.tsx';
import { EndpointForm } from './endpoint-form.tsx';
import { ask, endpointPath, portalKey } from './portal-api.ts';
import { SendEvent } from './send-event.tsx';
import styles from './portal.module.css';

/** One endpoint with its state, its actions and, if opened, its deliveries. */
export function EndpointCard({ endpoint }: { readonly endpoint: Endpoint }) {
  const [isOpen, setOpen] = useState(false);
  const { tone, word, next } = describeEndpoint(endpoint);
  return (
    <li className={styles['card']} aria-label={endpoint.url}>
      <h2>{endpoint.url}</h2>
      {endpoint.description !== '' && <p>{endpoint.description}</p>}
      <p>
        <StatusBadge tone={tone}>{word}</StatusBadge> {next}
      </p>
      {endpoint.last_error !== null && <p className={styles['fine']}>Last error: {endpoint.last_error}</p>}
      <p className={styles['fine']}>
        Events: {endpoint.event_types.length === 0 ? 'all' : endpoint.event_types.join(', ')}. The signing secret ends
        in <code>{endpoint.secret_hint ?? ''}</code>.
      </p>
      <Actions endpoint={endpoint} />
      <div>
        <Button look="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Deliveries
        </Button>
      </div>
      {isOpen && <Deliveries endpointId={endpoint.id} />}
    </li>
  );
}

function Actions({ endpoint }: { readonly endpoint: Endpoint }) {
  const path = endpointPath(endpoint.id);
  const save = useChange((body: object) => ask<Endpoint>('PATCH', path, { body }), portalKey);
  const rotate = useChange(() => ask<CreatedEndpoint>('POST', `${path}/secret/rotate`, { body: {} }), portalKey);
  const remove = useChange(() => ask<undefined>('DELETE', path), portalKey);
  const isPaused = !endpoint.active || endpoint.circuit_state !== 'closed';
  return (
    <>
      <div className={styles['actions']}>
        <SendEvent endpoint={endpoint} />
        <DialogButton label="Edit">
          {(close) => (
            <EndpointForm
              title="Edit endpoint"
              endpoint={endpoint}
              onClose={close}
              onSend={(body) => ask<Endpoint>('PATCH', path, { body })}
            />
          )}
        </DialogButton>
        {isPaused && (
          <Button aria-busy={save.isPending} onClick={() => save.mutate({ active: true })}>
            Enable
          </Button>
        )}
        {endpoint.active && (
          <Button aria-busy={save.isPending} onClick={() => save.mutate({ active: false })}>
            Disable
          </Button>
        )}
        <DialogButton label="Rotate secret">
          {(close) => (
            <ConfirmChange title="Rotate the signing secret" action="Rotate secret" change={rotate} onClose={close}>
              <p>From the next delivery on, only the new secret is used for signatures.</p>
            </ConfirmChange>
          )}
        </DialogButton>
        <DialogButton label="Delete" look="danger">
          {(close) => (
            <ConfirmChange
              title="Delete the endpoint"
              action="Delete endpoint"
              look="danger"
              change={remove}
              onClose={close}
            >
              <p>Pending deliveries are cancelled.</p>
            </ConfirmChange>
          )}
        </DialogButton>
      </div>
      {save.error !== null && <ErrorState error={save.error} />}
      {rotate.data !== undefined && (
        <SecretOnce title="Signing secret" secret={rotate.data.secret} onStored={() => rotate.reset()} />
      )}
    </>
  );
}
