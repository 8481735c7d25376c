import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { CreatedEndpoint, Endpoint } from '../../api/answers.ts';
import { request } from '../../api/request.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { endpointPath, webhooksKey } from '../../queries/webhooks.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { SecretOnce } from '../../ui/secret-once.tsx';
import { useChange, useRemoval } from '../../ui/use-change.ts';
import styles from './webhooks.module.css';

type Asked = 'rotate' | 'delete' | undefined;

/** What can be done with an endpoint; what cannot be taken back is asked for twice. */
export function EndpointActions({ endpoint }: { readonly endpoint: Endpoint }) {
  const navigate = useNavigate();
  const path = endpointPath(endpoint.id);
  const [asked, setAsked] = useState<Asked>();
  const test = useChange(() => request<unknown>('POST', `${path}/test`, { body: {} }), webhooksKey);
  const save = useChange((active: boolean) => request<Endpoint>('PATCH', path, { body: { active } }), webhooksKey);
  const rotate = useChange(() => request<CreatedEndpoint>('POST', `${path}/secret/rotate`, { body: {} }), webhooksKey);
  const remove = useRemoval(path, webhooksKey, () => navigate({ to: '/event-webhooks/endpoints' }));
  const refusal = useRefusal('manage_policies');
  const ofAnother = endpoint.source === 'account' ? undefined : 'belongs to an approval workflow';
  const disabledReason = refusal ?? ofAnother;
  const isPaused = !endpoint.active || endpoint.circuit_state !== 'closed';
  const failed = test.error ?? save.error;
  return (
    <>
      <div className={styles['actions']}>
        <Button look="primary" disabledReason={disabledReason} onClick={() => test.mutate(undefined)}>
          Send test event
        </Button>
        {isPaused && (
          <Button disabledReason={disabledReason} onClick={() => save.mutate(true)}>
            Enable
          </Button>
        )}
        {endpoint.active && (
          <Button disabledReason={disabledReason} onClick={() => save.mutate(false)}>
            Disable
          </Button>
        )}
        <Button disabledReason={disabledReason} onClick={() => setAsked('rotate')}>
          Rotate secret
        </Button>
        <Button look="danger" disabledReason={disabledReason} onClick={() => setAsked('delete')}>
          Delete
        </Button>
      </div>
      {failed !== null && <ErrorState error={failed} />}
      {asked === 'rotate' && (
        <Confirm
          title="Rotate the signing secret"
          action="Rotate secret"
          isBusy={rotate.isPending}
          error={rotate.error}
          onConfirm={() => rotate.mutate(undefined, { onSuccess: () => setAsked(undefined) })}
          onClose={() => setAsked(undefined)}
        >
          <p>For a while deliveries are signed with both secrets, so that the receiver can change over.</p>
        </Confirm>
      )}
      {asked === 'delete' && (
        <Confirm
          title="Delete the endpoint"
          action="Delete endpoint"
          look="danger"
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate()}
          onClose={() => setAsked(undefined)}
        >
          <p>What waits for it is cancelled; what was sent stays readable for a while.</p>
        </Confirm>
      )}
      {rotate.data !== undefined && (
        <SecretOnce title="Signing secret" secret={rotate.data.secret} onStored={() => rotate.reset()} />
      )}
    </>
  );
}
