import { useNavigate } from '@tanstack/react-router';
import { useId, useState, type FormEvent } from 'react';
import type { Flow, Triggered } from '../../api/answers.ts';
import { toApiError } from '../../api/api-error.ts';
import { request } from '../../api/request.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { executionsKey } from '../../queries/executions.ts';
import { flowPath } from '../../queries/flows.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { useChange } from '../../ui/use-change.ts';
import styles from './flows.module.css';
import { readFiles } from './read-files.ts';

/** Starts the flow manually, with a payload in the format of its trigger. */
export function RunFlow({ flow }: { readonly flow: Flow }) {
  const id = useId();
  const navigate = useNavigate();
  const [mistake, setMistake] = useState<string>();
  const refusal = useRefusal('execute_flows');
  const run = useChange(
    (body: unknown) => request<Triggered>('POST', `${flowPath(flow.id)}/trigger`, { body }),
    executionsKey,
  );

  async function submit(form: FormData): Promise<void> {
    const payload = readPayload(String(form.get('payload')));
    if (payload === undefined) return setMistake('This is not a JSON object.');
    const chosen = form.getAll('files').filter((file): file is File => file instanceof File && file.name !== '');
    const files = await readFiles(chosen);
    setMistake(undefined);
    run.mutate(files.length === 0 ? payload : { ...payload, workspace_files: files }, {
      onSuccess: ({ execution_id: executionId }) =>
        void navigate({ to: '/executions/$executionId', params: { executionId } }),
    });
  }

  return (
    <form
      className={styles['run']}
      onSubmit={(event: FormEvent<HTMLFormElement>) => {
        event.preventDefault();
        submit(new FormData(event.currentTarget)).catch((error: unknown) => setMistake(toApiError(error).message));
      }}
    >
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
      <label htmlFor={`${id}-files`}>Files for the workspace</label>
      <input id={`${id}-files`} name="files" type="file" multiple />
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
