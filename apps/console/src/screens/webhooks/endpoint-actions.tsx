import { useNavigate } from '@tanstack/react-router';
import type { CreatedEndpoint, Endpoint } from '../../api/answers.ts';
import { request } from '../../api/request.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { endpointPath, webhooksKey } from '../../queries/webhooks.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmChange } from '../../ui/confirm-change.tsx';
import { DialogButton } from '../../ui/dialog-button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { SecretOnce } from '../../ui/secret-once.tsx';
import { useChange } from '../../ui/use-change.ts';
import { useRemoval } from '../../ui/use-removal.ts';
import { EndpointDialog } from './endpoint-dialog.tsx';
import { SendExample } from './send-example.tsx';
import styles from './webhooks.module.css';

/** Actions on an endpoint, with a confirmation for irreversible ones. */
export function EndpointActions({ endpoint }: { readonly endpoint: Endpoint }) {
  const navigate = useNavigate();
  const path = endpointPath(endpoint.id);
  const test = useChange(() => request<unknown>('POST', `${path}/test`, { body: {} }), webhooksKey);
  const save = useChange(
    (body: Pick<Partial<Endpoint>, 'active' | 'keep_answers'>) => request<Endpoint>('PATCH', path, { body }),
    webhooksKey,
  );
  const remove = useRemoval(path, webhooksKey, () => navigate({ to: '/event-webhooks/endpoints' }));
  const refusal = useRefusal('manage_policies');
  const ofAnother = endpoint.source === 'account' ? undefined : 'the endpoint belongs to an approval workflow';
  const disabledReason = refusal ?? ofAnother;
  const isPaused = !endpoint.active || endpoint.circuit_state !== 'closed';
  const failed = test.error ?? save.error;
  return (
    <>
      <div className={styles['actions']}>
        <Button
          look="primary"
          disabledReason={disabledReason}
          aria-busy={test.isPending}
          onClick={() => test.mutate(undefined)}
        >
          Send test event
        </Button>
        <SendExample endpoint={endpoint} disabledReason={disabledReason} />
        <DialogButton label="Edit" disabledReason={disabledReason}>
          {(close) => <EndpointDialog endpoint={endpoint} onClose={close} />}
        </DialogButton>
        {isPaused && (
          <Button
            disabledReason={disabledReason}
            aria-busy={save.isPending}
            onClick={() => save.mutate({ active: true })}
          >
            Enable
          </Button>
        )}
        {endpoint.active && (
          <Button
            disabledReason={disabledReason}
            aria-busy={save.isPending}
            onClick={() => save.mutate({ active: false })}
          >
            Disable
          </Button>
        )}
        <Button
          disabledReason={disabledReason}
          aria-busy={save.isPending}
          onClick={() => save.mutate({ keep_answers: !endpoint.keep_answers })}
        >
          {endpoint.keep_answers ? 'Do not store responses' : 'Store responses'}
        </Button>
        <RotateSecret endpointId={endpoint.id} disabledReason={disabledReason} />
        <DialogButton label="Delete" look="danger" disabledReason={disabledReason}>
          {(close) => (
            <ConfirmChange
              title="Delete the endpoint"
              action="Delete endpoint"
              look="danger"
              change={remove}
              onClose={close}
            >
              <p>Pending deliveries are cancelled; past deliveries remain readable until retention removes them.</p>
            </ConfirmChange>
          )}
        </DialogButton>
      </div>
      {failed !== null && <ErrorState error={failed} />}
    </>
  );
}

interface RotateProps {
  readonly endpointId: string;
  readonly disabledReason: string | undefined;
}

function RotateSecret({ endpointId, disabledReason }: RotateProps) {
  const path = `${endpointPath(endpointId)}/secret/rotate`;
  const rotate = useChange(() => request<CreatedEndpoint>('POST', path, { body: {} }), webhooksKey);
  return (
    <>
      <DialogButton label="Rotate secret" disabledReason={disabledReason}>
        {(close) => (
          <ConfirmChange title="Rotate the signing secret" action="Rotate secret" change={rotate} onClose={close}>
            <p>
              From the next delivery on, only the new secret is used for signatures. For a transition period with both
              secrets, rotate the secret with the API.
            </p>
          </ConfirmChange>
        )}
      </DialogButton>
      {rotate.data !== undefined && (
        <SecretOnce title="Signing secret" secret={rotate.data.secret} onStored={() => rotate.reset()} />
      )}
    </>
  );
}
