import { AppError } from '@steward/runtime';
import { validateWorkspaceFiles, type ExecutionRow, type WorkspaceFile } from '@steward/slice-flows';

/** Of one acceptance, whichever way it took. */
export type TriggerOutcome =
  | { readonly kind: 'accepted' | 'deduplicated'; readonly execution: Pick<ExecutionRow, 'id' | 'status'> }
  | { readonly kind: 'key_reused' }
  | { readonly kind: 'flow_gone' };

/** The 202 body of both trigger routes. @throws for the outcomes that refuse. */
export function answerTrigger(flowId: string, outcome: TriggerOutcome): { status: number; body: object } {
  if (outcome.kind === 'key_reused') throw new AppError('idempotency_key_reused');
  if (outcome.kind === 'flow_gone') throw new AppError('not_found');
  const { execution } = outcome;
  const body = {
    status: 'accepted',
    flow_id: flowId,
    execution_id: execution.id,
    execution_status: execution.status,
    deduplicated: outcome.kind === 'deduplicated',
    status_url: `/api/v1/flows/executions/${execution.id}`,
  };
  return { status: 202, body };
}

/** The declared files, decoded. @throws 400 or 413 naming the file, the cap, the actual size and the overage. */
export function requireWorkspaceFiles(payload: Readonly<Record<string, unknown>>): readonly WorkspaceFile[] {
  const outcome = validateWorkspaceFiles(payload.workspace_files);
  if (outcome.kind === 'valid') return outcome.files;
  const path = outcome.path === undefined ? {} : { path: outcome.path };
  if (outcome.kind === 'invalid') {
    throw new AppError('invalid_workspace_files', {
      message: outcome.message,
      detail: { field: 'workspace_files', ...path },
    });
  }
  const { limit, actual, overage } = outcome;
  throw new AppError('workspace_files_too_large', {
    message: outcome.message,
    detail: { field: 'workspace_files', limit, actual, overage, ...path },
  });
}
