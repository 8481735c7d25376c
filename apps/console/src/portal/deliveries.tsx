import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Delivery, Replayed } from '../api/answers.ts';
import { DeliveryState } from '../screens/webhooks/delivery-state.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { TimeAgo } from '../ui/time-ago.tsx';
import { useChange } from '../ui/use-change.ts';
import { ask, deliveriesQuery, deliveryQuery, portalKey } from './portal-api.ts';
import styles from './portal.module.css';

/** The newest deliveries to an endpoint. */
export function Deliveries({ endpointId }: { readonly endpointId: string }) {
  const query = useQuery(deliveriesQuery(endpointId));
  return (
    <Loaded what="deliveries" query={query}>
      {({ items }) =>
        items.length === 0 ? (
          <p>No deliveries yet.</p>
        ) : (
          <ol className={styles['list']} aria-label="Deliveries">
            {items.map((delivery) => (
              <DeliveryRow key={delivery.id} delivery={delivery} />
            ))}
          </ol>
        )
      }
    </Loaded>
  );
}

function DeliveryRow({ delivery }: { readonly delivery: Delivery }) {
  const [isOpen, setOpen] = useState(false);
  const { status, event_type: type, occurred_at: at, event_id: eventId, endpoint_id: endpointId } = delivery;
  const resend = useChange(
    () =>
      ask<Replayed>('POST', `/deliveries/${encodeURIComponent(eventId)}/replay`, { body: { endpoint_id: endpointId } }),
    portalKey,
  );
  return (
    <li className={styles['row']}>
      <p>
        <code>{type}</code> <DeliveryState status={status} /> <TimeAgo at={at} />
      </p>
      <div className={styles['actions']}>
        <Button look="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Attempts ({delivery.attempt_count})
        </Button>
        <Button aria-busy={resend.isPending} onClick={() => resend.mutate(undefined)}>
          Resend
        </Button>
        <span role="status">
          {resend.data !== undefined &&
            (resend.data.queued > 0 ? 'Sent again.' : 'Not sent: the endpoint is disabled.')}
        </span>
      </div>
      {resend.error !== null && <ErrorState error={resend.error} />}
      {isOpen && <Attempts deliveryId={delivery.id} />}
    </li>
  );
}

function Attempts({ deliveryId }: { readonly deliveryId: string }) {
  const query = useQuery(deliveryQuery(deliveryId));
  return (
    <Loaded what="attempts" query={query}>
      {({ attempts }) =>
        attempts.length === 0 ? (
          <p>None yet.</p>
        ) : (
          <ol aria-label="Attempts">
            {attempts.map((attempt) => (
              <li key={attempt.number}>
                <strong>{attempt.response_status ?? attempt.error_class ?? 'no response'}</strong> after{' '}
                {attempt.duration_ms} ms, <TimeAgo at={attempt.started_at} />
                {attempt.error !== null && <div className={styles['fine']}>{attempt.error}</div>}
              </li>
            ))}
          </ol>
        )
      }
    </Loaded>
  );
}
