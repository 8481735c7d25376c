import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { Execution, Retried } from '../../api/answers.ts';
import { request } from '../../api/request.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { useShortcuts } from '../../keyboard/use-shortcuts.ts';
import { executionPath, executionsKey, isOver } from '../../queries/executions.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { ConfirmChange } from '../../ui/confirm-change.tsx';
import { DialogButton } from '../../ui/dialog-button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { useChange } from '../../ui/use-change.ts';
import styles from './executions.module.css';

/** Returns the reason why a run cannot be retried; undefined if it can. */
function refuseRetry({ status }: Execution): string | undefined {
  if (status === 'SUCCEEDED') return 'it succeeded';
  return isOver({ status }) ? undefined : 'it has not ended';
}

export function ExecutionActions({ execution }: { readonly execution: Execution }) {
  const navigate = useNavigate();
  const [isRetryAsked, setRetryAsked] = useState(false);
  const refusal = useRefusal('execute_flows');
  const path = executionPath(execution.id);
  const stop = useChange(() => request<Execution>('POST', `${path}/stop`, { body: {} }), executionsKey);
  const retry = useChange(() => request<Retried>('POST', `${path}/retry`, { body: {} }), executionsKey);
  const refusedRetry = refusal ?? refuseRetry(execution) ?? (retry.isPending ? 'it is starting' : undefined);
  const again = (): void =>
    retry.mutate(undefined, {
      onSuccess: ({ execution_id: executionId }) => {
        setRetryAsked(false);
        void navigate({ to: '/executions/$executionId', params: { executionId } });
      },
    });
  useShortcuts(useMemo(() => (refusedRetry === undefined ? { r: () => setRetryAsked(true) } : {}), [refusedRetry]));
  return (
    <div className={styles['actions']}>
      <DialogButton
        label="Stop execution"
        look="danger"
        disabledReason={refusal ?? (isOver(execution) ? 'it has ended' : undefined)}
      >
        {(close) => (
          <ConfirmChange title="Stop execution" action="Stop it" look="danger" change={stop} onClose={close}>
            <p>
              A running agent is stopped, and its output so far remains readable. A pending execution is not started.
            </p>
          </ConfirmChange>
        )}
      </DialogButton>
      <Button disabledReason={refusedRetry} onClick={again}>
        Retry
      </Button>
      {retry.error !== null && !isRetryAsked && <ErrorState error={retry.error} />}
      {isRetryAsked && (
        <Confirm
          title="Retry execution"
          action="Run it again"
          isBusy={retry.isPending}
          error={retry.error}
          onConfirm={again}
          onClose={() => setRetryAsked(false)}
        >
          <p>
            A new execution starts with the current settings of the flow and the payload and files of this execution.
          </p>
        </Confirm>
      )}
    </div>
  );
}
