import type { IncomingHttpHeaders } from 'node:http';
import { transact } from '@steward/database';
import type { RouteResult } from '@steward/http';
import { recordAudit, toSessionWriteOptions, type AuditEntry } from '@steward/slice-gateway';
import { acceptTrigger, findRepeatedTrigger, readIdempotencyKey, type FlowRow } from '@steward/slice-flows';
import type { FlowDeps } from './flow-deps.ts';
import { answerTrigger, requireWorkspaceFiles } from './trigger-answer.ts';

type TriggeredFlow = Pick<FlowRow, 'id' | 'account_id' | 'name' | 'webhook_config'>;

export interface TriggerRequest {
  readonly flow: TriggeredFlow;
  readonly triggerType: 'manual' | 'webhook';
  readonly payload: Readonly<Record<string, unknown>>;
  /** The JSON text of `payload`, when the whole of it is the payload. */
  readonly payloadText?: string;
  /** What the idempotency key stands for: the same key with other bytes is refused. */
  readonly rawBody: Buffer;
  readonly headers: IncomingHttpHeaders;
  readonly actor: AuditEntry['actor'];
  readonly source: AuditEntry['source'];
  readonly requestId: string;
}

/** The answer to a request whose idempotency key was used before; undefined for a first one. @throws idempotency_key_reused */
export async function answerRepeated(
  deps: FlowDeps,
  request: Pick<TriggerRequest, 'flow' | 'headers' | 'rawBody'>,
): Promise<RouteResult | undefined> {
  const { flow, headers, rawBody: body } = request;
  const key = readIdempotencyKey(headers);
  if (key === undefined) return undefined;
  const outcome = await findRepeatedTrigger(deps.db, { flow, key, body, now: deps.clock.now() });
  return outcome.kind === 'first' ? undefined : answerTrigger(flow.id, outcome);
}

/** Validates the files, accepts the trigger and records it in one transaction; the answer is the same for both routes. */
export async function acceptAudited(deps: FlowDeps, request: TriggerRequest): Promise<RouteResult> {
  const { flow, triggerType, payload, payloadText, rawBody } = request;
  const files = requireWorkspaceFiles(payload);
  const key = readIdempotencyKey(request.headers);
  const idempotency = key === undefined ? undefined : { key, body: rawBody };
  const input = { flow, triggerType, payload, payloadText, files, idempotency, now: deps.clock.now() };
  const outcome = await transact(deps, async (trx, hints) => {
    const accepted = await acceptTrigger(trx, hints, input, toSessionWriteOptions(deps.settings));
    if (accepted.kind === 'accepted') {
      await recordAudit(trx, {
        accountId: flow.account_id,
        actor: request.actor,
        source: request.source,
        action: 'trigger',
        resourceType: 'flow',
        resourceId: flow.id,
        status: 'success',
        details: { execution_id: accepted.execution.id, workspace_files: files.length },
        requestId: request.requestId,
      });
    }
    return accepted;
  });
  return answerTrigger(flow.id, outcome);
}
