import { request } from '../../api/request.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { flowPath, flowsKey } from '../../queries/flows.ts';
import { ConfirmChange } from '../../ui/confirm-change.tsx';
import { DialogButton } from '../../ui/dialog-button.tsx';
import panel from '../../ui/panel.module.css';
import { useChange } from '../../ui/use-change.ts';

interface Props {
  readonly flowId: string;
  readonly secret: string;
}

/** Example command. It does not contain the address itself, so that the copied command contains no secret. */
const CURL = `curl -X POST "$WEBHOOK_ADDRESS" -H 'content-type: application/json' -d '{"key": "value"}'`;

/**
 * Shows and replaces the URL of the webhook of a flow. Unless the webhook requires signatures, everybody with this URL
 * can start the flow.
 */
export function WebhookAddress({ flowId, secret }: Props) {
  const refusal = useRefusal('edit_flows');
  const rotate = useChange(
    () => request<unknown>('POST', `${flowPath(flowId)}/webhook-secret/rotate`, { body: {} }),
    flowsKey,
  );
  return (
    <details>
      <summary>Webhook address</summary>
      <pre className={panel['text']}>{`${location.origin}/webhooks/flows/${flowId}/${secret}`}</pre>
      <p>To start the flow from a shell, set WEBHOOK_ADDRESS to this address and run:</p>
      <pre className={panel['text']}>{CURL}</pre>
      <DialogButton label="Create a new address" disabledReason={refusal}>
        {(close) => (
          <ConfirmChange
            title="Create a new webhook address"
            action="Replace the address"
            look="danger"
            change={rotate}
            onClose={close}
          >
            <p>The current address will return 404. Update all callers to the new address.</p>
          </ConfirmChange>
        )}
      </DialogButton>
    </details>
  );
}
