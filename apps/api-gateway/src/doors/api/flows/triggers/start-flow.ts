import type { Clock } from '@steward/async';
import type { AnyDatabase } from '@steward/database';
import { AppError } from '@steward/contracts';
import {
  buildTrigger,
  findRepeatedTrigger,
  type Trigger,
  type TriggeredFlow,
  type TriggerSource,
} from '@steward/slice-flows';

import type { SecretBoxes } from '../../../../secret-boxes.ts';
import type { TriggerIntake } from '../../../../triggers/trigger-intake.ts';
import { answerTrigger, refuseFiles, type AcceptedTrigger } from './answer-trigger.ts';

export interface TriggerDeps {
  readonly db: AnyDatabase;
  readonly clock: Clock;
  readonly triggers: TriggerIntake;
  readonly secretBoxes: Pick<SecretBoxes, 'flow'>;
}

export interface TriggerRequest extends Pick<Trigger, 'type' | 'secretHash' | 'audit' | 'traceparent'> {
  /** Reads the flow, as it is now. @throws when the sender may not start it */
  readonly findFlow: () => Promise<TriggeredFlow>;
  /** What the body says. @throws when it says nothing */
  readonly readPayload: () => Payload;
  readonly rawBody: Buffer;
  /** The same for the same event, however often it is sent. */
  readonly key: string | undefined;
  /** What the run is told of the request, for flows that name their source. */
  readonly source?: TriggerSource;
}

export interface Payload {
  readonly payload: Readonly<Record<string, unknown>>;
  /** The JSON text it was parsed from, when the whole of it is the payload. */
  readonly payloadText?: string;
}

/**
 * Accepts the trigger of a flow that was found for it. A flow that changed, or that somebody held, when the rows were to be
 * written is read again and decided anew; the second time its trigger waits for whoever holds it.
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
 * The idempotency key comes before the body: a repeat is answered, and a key sent with other bytes refused, whatever those
 * bytes are. Most bodies are good and most keys are new, so the key is looked up apart only when the body is refused; else
 * the statement that writes the trigger looks at it.
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

/** The parsed body ends here: kept until the commit, it would be garbage that the collector copies first. */
function build({ clock }: TriggerDeps, flow: TriggeredFlow, request: TriggerRequest): Trigger {
  const { type, secretHash, audit, traceparent, key, source, rawBody: body } = request;
  const receivedAt = clock.now();
  const facts = { flow, type, secretHash, audit, traceparent, body, key, source, receivedAt };
  const outcome = buildTrigger({ ...facts, ...request.readPayload() });
  if (outcome.kind !== 'built') throw refuseFiles(outcome);
  return outcome.trigger;
}
