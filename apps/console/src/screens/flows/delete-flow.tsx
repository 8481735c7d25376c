import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Flow } from '../../api/answers.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { flowPath, flowsKey } from '../../queries/flows.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { useRemoval } from '../../ui/use-change.ts';

/** Its runs stay; what still runs keeps it. */
export function DeleteFlow({ flow }: { readonly flow: Flow }) {
  const navigate = useNavigate();
  const [isAsked, setAsked] = useState(false);
  const refusal = useRefusal('delete_flows');
  const remove = useRemoval(flowPath(flow.id), flowsKey, () => navigate({ to: '/flows' }));
  return (
    <>
      <Button look="danger" disabledReason={refusal} onClick={() => setAsked(true)}>
        Delete
      </Button>
      {isAsked && (
        <Confirm
          title={`Delete ${flow.name}`}
          action="Delete flow"
          look="danger"
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate()}
          onClose={() => setAsked(false)}
        >
          <p>Its webhook answers no more. What it did stays to be read.</p>
        </Confirm>
      )}
    </>
  );
}
