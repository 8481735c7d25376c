import { useNavigate } from '@tanstack/react-router';
import type { Flow } from '../../api/answers.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { flowPath, flowsKey } from '../../queries/flows.ts';
import { ConfirmChange } from '../../ui/confirm-change.tsx';
import { DialogButton } from '../../ui/dialog-button.tsx';
import { useRemoval } from '../../ui/use-removal.ts';

/** Deletes a flow; its past runs are retained. A flow with an active run cannot be deleted. */
export function DeleteFlow({ flow }: { readonly flow: Flow }) {
  const navigate = useNavigate();
  const refusal = useRefusal('delete_flows');
  const remove = useRemoval(flowPath(flow.id), flowsKey, () => navigate({ to: '/flows' }));
  return (
    <DialogButton label="Delete" look="danger" disabledReason={refusal}>
      {(close) => (
        <ConfirmChange title={`Delete ${flow.name}`} action="Delete flow" look="danger" change={remove} onClose={close}>
          <p>
            The flow can no longer be started, neither manually nor by its trigger. Past executions remain readable.
          </p>
        </ConfirmChange>
      )}
    </DialogButton>
  );
}
