import type { Challenge, IgnoredAnswer, TriggerAnswer } from '../flow-schemas.ts';
import type { AnswerBody } from '@steward/http';
import { AppError } from '@steward/contracts';
import type { BuildTriggerOutcome, TriggerOutcome } from '@steward/flows';

export interface AcceptedTrigger {
  readonly status: 202;
  readonly body: AnswerBody<typeof TriggerAnswer>;
}

export interface IgnoredTrigger {
  readonly status: 202;
  readonly body: AnswerBody<typeof IgnoredAnswer>;
}

export interface ChallengeAnswer {
  readonly status: 200;
  readonly body: AnswerBody<typeof Challenge>;
}

/**
 * Returns the 202 response of every route that starts a flow.
 * @throws AppError if the trigger was refused
 */
export function answerTrigger(flowId: string, outcome: TriggerOutcome): AcceptedTrigger {
  if (outcome.kind === 'key_reused') throw new AppError('idempotency_key_reused');
  if (outcome.kind === 'flow_changed') throw new AppError('not_found');
  const { execution } = outcome;
  const body = {
    status: 'accepted' as const,
    flow_id: flowId,
    execution_id: execution.id,
    execution_status: execution.status,
    deduplicated: outcome.kind === 'deduplicated',
    status_url: `/api/v1/flows/executions/${execution.id}`,
  };
  return { status: 202, body };
}

/**
 * Returns a 400 error, or a 413 error with the limit, the actual size and the excess; both name the file if the problem
 * concerns only one file.
 */
export function refuseFiles(outcome: Exclude<BuildTriggerOutcome, { readonly kind: 'built' }>): AppError {
  const path = outcome.path === undefined ? {} : { path: outcome.path };
  if (outcome.kind === 'invalid') {
    return new AppError('invalid_workspace_files', {
      message: outcome.message,
      detail: { field: 'workspace_files', ...path },
    });
  }
  const { limit, actual, overage } = outcome;
  return new AppError('workspace_files_too_large', {
    message: outcome.message,
    detail: { field: 'workspace_files', limit, actual, overage, ...path },
  });
}
