import { useState } from 'react';
import { request } from '../../api/request.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { flowPath, flowsKey } from '../../queries/flows.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { useChange } from '../../ui/use-change.ts';
import styles from './flows.module.css';

interface Props {
  readonly flowId: string;
  readonly secret: string;
}

/** The address itself is not in it: what is copied and kept holds no secret. */
const CURL = `curl -X POST "$WEBHOOK_ADDRESS" -H 'content-type: application/json' -d '{"key": "value"}'`;

/** Whoever has it starts the flow. */
export function WebhookAddress({ flowId, secret }: Props) {
  const [isAsked, setAsked] = useState(false);
  const refusal = useRefusal('edit_flows');
  const rotate = useChange(
    () => request<unknown>('POST', `${flowPath(flowId)}/webhook-secret/rotate`, { body: {} }),
    flowsKey,
  );
  return (
    <details>
      <summary>Webhook address</summary>
      <pre className={styles['text']}>{`${location.origin}/webhooks/flows/${flowId}/${secret}`}</pre>
      <p>From a shell, with this address in WEBHOOK_ADDRESS:</p>
      <pre className={styles['text']}>{CURL}</pre>
      <Button disabledReason={refusal} onClick={() => setAsked(true)}>
        Make a new address
      </Button>
      {isAsked && (
        <Confirm
          title="Make a new webhook address"
          action="Replace the address"
          look="danger"
          isBusy={rotate.isPending}
          error={rotate.error}
          onConfirm={() => rotate.mutate(undefined, { onSuccess: () => setAsked(false) })}
          onClose={() => setAsked(false)}
        >
          <p>The former address answers 404 from now on. Give the new one to whoever calls it.</p>
        </Confirm>
      )}
    </details>
  );
}
