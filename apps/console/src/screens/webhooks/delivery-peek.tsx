import { useQuery } from '@tanstack/react-query';
import type { DeliveryDetails } from '../../api/answers.ts';
import { deliveryQuery } from '../../queries/webhooks.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Peek } from '../../ui/peek.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { DeliveryState } from './delivery-state.tsx';
import { EndpointName } from './endpoint-name.tsx';
import { explainFailure } from './failure-hints.ts';
import { ReplayEvent } from './replay-event.tsx';
import { SentBody } from './sent-body.tsx';
import styles from './webhooks.module.css';

interface Props {
  readonly deliveryId: string;
  readonly onClose: () => void;
}

/** One delivery next to its list, which stays in place. */
export function DeliveryPeek({ deliveryId, onClose }: Props) {
  const query = useQuery(deliveryQuery(deliveryId));
  return (
    <Peek title="Delivery" onClose={onClose}>
      <Loaded what="the delivery" query={query}>
        {(delivery) => <Details delivery={delivery} />}
      </Loaded>
    </Peek>
  );
}

const HELD = {
  endpoint_inactive: 'Held: the endpoint is disabled.',
  breaker_open: 'Held: the endpoint is paused after failures.',
} as const;

function Details({ delivery }: { readonly delivery: DeliveryDetails }) {
  const { attempts, held_because: heldBecause, endpoint_id: endpointId } = delivery;
  return (
    <>
      <p>
        {delivery.event_type} <DeliveryState status={delivery.status} /> to <EndpointName id={endpointId} />
      </p>
      {heldBecause !== null && <p>{HELD[heldBecause]}</p>}
      <p className={styles['fine']}>
        Event <code>{delivery.event_id}</code>
      </p>
      <div className={styles['actions']}>
        <ReplayEvent delivery={delivery} hasKey />
        <ReplayEvent delivery={delivery} toOne />
      </div>
      <SentBody eventId={delivery.event_id} />
      <h3>Attempts</h3>
      {attempts.length === 0 && <p>None yet.</p>}
      <ol className={styles['attempts']}>
        {attempts.map((attempt) => (
          <li key={attempt.number}>
            <strong>{attempt.response_status ?? attempt.error_class ?? 'no response'}</strong> after{' '}
            {attempt.duration_ms} ms, <TimeAgo at={attempt.started_at} />
            {attempt.error !== null && (
              <div className={styles['fine']}>
                {attempt.error}. {explainFailure(attempt.error_class)}
              </div>
            )}
            {attempt.request_headers !== null && <SentHeaders headers={attempt.request_headers} />}
            {attempt.answer !== null && <ReceivedAnswer text={attempt.answer} />}
          </li>
        ))}
      </ol>
    </>
  );
}

/** The beginning of the receiver's response, if responses are stored for the endpoint. */
function ReceivedAnswer({ text }: { readonly text: string }) {
  return (
    <details>
      <summary>Answer</summary>
      <pre className={styles['sent']}>{text}</pre>
    </details>
  );
}

/** The headers of an attempt; the service hides the signatures. */
function SentHeaders({ headers }: { readonly headers: Readonly<Record<string, unknown>> }) {
  return (
    <details>
      <summary>Headers as sent</summary>
      <pre className={styles['sent']}>
        {Object.entries(headers)
          .map(([name, value]) => `${name}: ${String(value)}`)
          .join('\n')}
      </pre>
    </details>
  );
}
