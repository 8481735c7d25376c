import { useNavigate } from '@tanstack/react-router';
import { useId, useState, type FormEvent } from 'react';
import type { Flow, Triggered } from '../../api/answers.ts';
import { request } from '../../api/request.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { executionsKey } from '../../queries/executions.ts';
import { flowPath } from '../../queries/flows.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { useChange } from '../../ui/use-change.ts';
import styles from './flows.module.css';

/** Starts the flow by hand, with a payload as its trigger would bring it. */
export function RunFlow({ flow }: { readonly flow: Flow }) {
  const id = useId();
  const navigate = useNavigate();
  const [mistake, setMistake] = useState<string>();
  const refusal = useRefusal('execute_flows');
  const run = useChange(
    (body: unknown) => request<Triggered>('POST', `${flowPath(flow.id)}/trigger`, { body }),
    executionsKey,
  );

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const payload = readPayload(String(new FormData(event.currentTarget).get('payload')));
    setMistake(payload === undefined ? 'This is no JSON object.' : undefined);
    if (payload === undefined) return;
    run.mutate(payload, {
      onSuccess: ({ execution_id: executionId }) =>
        void navigate({ to: '/executions/$executionId', params: { executionId } }),
    });
  }

  return (
    <form className={styles['run']} onSubmit={submit}>
      <h2>Run it</h2>
      <label htmlFor={id}>Payload</label>
      <textarea
        id={id}
        name="payload"
        rows={6}
        defaultValue="{}"
        spellCheck={false}
        aria-invalid={mistake === undefined ? undefined : true}
        aria-describedby={mistake === undefined ? undefined : `${id}-mistake`}
      />
      {mistake !== undefined && (
        <p id={`${id}-mistake`} role="alert" className={styles['mistake']}>
          {mistake}
        </p>
      )}
      {run.error !== null && <ErrorState error={run.error} />}
      <Button
        type="submit"
        look="primary"
        aria-busy={run.isPending}
        disabledReason={refusal ?? (flow.is_enabled ? undefined : 'the flow is disabled')}
      >
        Run flow
      </Button>
    </form>
  );
}

function readPayload(text: string): object | undefined {
  try {
    const payload: unknown = JSON.parse(text);
    return typeof payload === 'object' && payload !== null && !Array.isArray(payload) ? payload : undefined;
  } catch {
    return undefined;
  }
}
