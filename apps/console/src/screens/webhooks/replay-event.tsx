import { useMemo, useState } from 'react';
import type { Delivery, Replayed } from '../../api/answers.ts';
import { request } from '../../api/request.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { useShortcuts } from '../../keyboard/use-shortcuts.ts';
import { webhooksKey } from '../../queries/webhooks.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmChange } from '../../ui/confirm-change.tsx';
import { useChange } from '../../ui/use-change.ts';

interface Props {
  readonly delivery: Pick<Delivery, 'event_id' | 'event_type' | 'endpoint_id'>;
  /** Whether to send the event only to the endpoint of the delivery. */
  readonly toOne?: boolean;
  /** Whether the action has a keyboard shortcut: only for a single delivery, not for each row of a list. */
  readonly hasKey?: boolean;
}

/**
 * Sends the event of a delivery again, after a confirmation. The result replaces the button; an error is shown in the
 * dialog.
 */
export function ReplayEvent({ delivery, hasKey = false, toOne = false }: Props) {
  const title = toOne ? 'Resend to this endpoint' : 'Replay event';
  const [isAsked, setAsked] = useState(false);
  const refusal = useRefusal('manage_policies');
  const replay = useChange(
    () =>
      request<Replayed>('POST', `/api/v1/event-webhooks/deliveries/${encodeURIComponent(delivery.event_id)}/replay`, {
        body: toOne ? { endpoint_id: delivery.endpoint_id } : {},
      }),
    webhooksKey,
  );
  const isOffered = hasKey && refusal === undefined && replay.data === undefined;
  useShortcuts(useMemo(() => (isOffered ? { r: () => setAsked(true) } : {}), [isOffered]));
  if (replay.data !== undefined)
    return (
      <span role="status">
        {replay.data.queued > 0
          ? 'Replayed'
          : toOne
            ? 'Not sent: the endpoint is inactive or deleted'
            : 'Not sent: all endpoints of the event are inactive or deleted'}
      </span>
    );
  return (
    <>
      <Button disabledReason={refusal} onClick={() => setAsked(true)}>
        {title}
      </Button>
      {isAsked && (
        <ConfirmChange title={title} action="Send it again" change={replay} onClose={() => setAsked(false)}>
          <p>
            <code>{delivery.event_type}</code> is sent again{' '}
            {toOne ? 'only to this endpoint' : 'to every endpoint to which it was sent'}, with the same event id, so
            that receivers can recognize the repetition.
          </p>
        </ConfirmChange>
      )}
    </>
  );
}
