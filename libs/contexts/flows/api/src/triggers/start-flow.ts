import type { Clock } from '@steward/async';
import type { AnyDatabase } from '@steward/database';
import { AppError } from '@steward/contracts';
import {
  buildTrigger,
  findRepeatedTrigger,
  type Trigger,
  type TriggeredFlow,
  type TriggerSource,
} from '@steward/flows';

import type { SecretBoxes } from '@steward/api';
import type { TriggerIntake } from './trigger-intake.ts';
import { answerTrigger, refuseFiles, type AcceptedTrigger } from './answer-trigger.ts';

export interface TriggerDeps {
  readonly db: AnyDatabase;
  readonly clock: Clock;
  readonly triggers: TriggerIntake;
  readonly secretBoxes: Pick<SecretBoxes, 'flow'>;
}

export interface TriggerRequest extends Pick<Trigger, 'type' | 'secretHash' | 'audit' | 'traceparent'> {
  /** Reads the flow in its current state. @throws if the sender may not start it */
  readonly findFlow: () => Promise<TriggeredFlow>;
  /** Reads the payload. @throws for an invalid body */
  readonly readPayload: () => Payload;
  readonly rawBody: Buffer;
  /** Idempotency key, which is identical for the same event, however often it is sent. */
  readonly key: string | undefined;
  /** Facts about the request that are passed to the run; undefined if its source is unknown. */
  readonly source?: TriggerSource;
}

export interface Payload {
  readonly payload: Readonly<Record<string, unknown>>;
  /** The JSON string from which the payload was parsed; undefined if the string contains more than the payload. */
  readonly payloadText?: string;
}

/**
 * Accepts the trigger of a flow. If the flow has changed or is locked when the rows are to be written, the flow is read
 * again and the decision is repeated; further attempts wait for the lock.
 */
export async function startFlow(
  deps: TriggerDeps,
  found: TriggeredFlow,
  request: TriggerRequest,
): Promise<AcceptedTrigger> {
  let flow = found;
  for (const waits of [false, true, true]) {
    const trigger = await buildOrAnswer(deps, flow, request);
    if ('status' in trigger) return trigger;
    const outcome = await deps.triggers.accept(trigger, { waits });
    if (outcome.kind !== 'flow_changed') return answerTrigger(flow.id, outcome);
    flow = await request.findFlow();
  }
  throw new AppError('unavailable', {
    message: 'The flow is being changed too often at the moment.',
    retryAfterSeconds: 1,
  });
}

/**
 * Builds the trigger, or returns the response to an earlier one with the same idempotency key. The key takes precedence
 * over the body: a repeated request gets its previous response, and a key sent with a different body is refused,
 * whether or not that body is valid. Most bodies are valid and most keys are new, so the key is looked up separately
 * only if the body is refused; otherwise the statement that writes the trigger checks it.
 */
async function buildOrAnswer(
  deps: TriggerDeps,
  flow: TriggeredFlow,
  request: TriggerRequest,
): Promise<Trigger | AcceptedTrigger> {
  const { key } = request;
  try {
    return build(deps, flow, request);
  } catch (error) {
    if (key === undefined) throw error;
    const input = { flowId: flow.id, key, body: request.rawBody, now: deps.clock.now() };
    const repeated = await findRepeatedTrigger(deps.db, input);
    if (repeated === undefined) throw error;
    return answerTrigger(flow.id, repeated);
  }
}

/**
 * Builds the trigger. The parsed body is referenced only in this function: if it were referenced until the commit, the
 * garbage collector would copy it before it is released.
 * @throws for an invalid body and for files that are refused
 */
function build({ clock }: TriggerDeps, flow: TriggeredFlow, request: TriggerRequest): Trigger {
  const { type, secretHash, audit, traceparent, key, source, rawBody: body } = request;
  const receivedAt = clock.now();
  const facts = { flow, type, secretHash, audit, traceparent, body, key, source, receivedAt };
  const outcome = buildTrigger({ ...facts, ...request.readPayload() });
  if (outcome.kind !== 'built') throw refuseFiles(outcome);
  return outcome.trigger;
}
