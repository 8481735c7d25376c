import type { Principal } from '@steward/contracts';
import type { SessionContentEntry } from '@steward/sessions';
import type { AnswerCollector } from './answer-collector.ts';
import { captureBody } from './answer-collector.ts';
import { MAX_CAPTURED_BYTES } from './collect-text.ts';

/** A completed call in the form in which it is stored. */
export interface CapturedCall {
  /** The id of the call's usage row, with a suffix if the call is stored in two parts. */
  readonly id: string;
  readonly principal: Pick<Principal, 'accountId' | 'apiKeyId'>;
  readonly occurredAt: Date;
  readonly traceparent: string;
  readonly modelAlias: string;
  readonly providerName: string;
  readonly status: string;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly costUsd: string | null;
  /** The body as the client sent it, or its beginning; undefined with capture off, and in the second part of a call. */
  readonly request: Buffer | undefined;
  readonly answer: AnswerCollector | undefined;
}

/** Copies the beginning of a large body, so that the rest can be freed with the call. */
export function keepRequest(body: Buffer): Buffer {
  return body.byteLength > MAX_CAPTURED_BYTES ? Buffer.from(body.subarray(0, MAX_CAPTURED_BYTES + 1)) : body;
}

export function sizeOf({ request, answer }: CapturedCall): number {
  return (request?.byteLength ?? 0) + (answer?.sizeBytes ?? 0);
}

export function describeCall(call: CapturedCall): SessionContentEntry {
  return {
    kind: 'gateway_interaction',
    modelAlias: call.modelAlias,
    providerName: call.providerName,
    request: call.request === undefined ? null : captureBody(call.request),
    response: call.answer?.finish() ?? null,
    status: call.status,
    inputTokens: call.inputTokens,
    outputTokens: call.outputTokens,
    costUsd: call.costUsd === null ? null : Number(call.costUsd),
    externalId: call.id,
    occurredAt: call.occurredAt,
  };
}
