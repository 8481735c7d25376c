import { DEAD_LETTER_STREAM, DEAD_LETTER_SUBJECT_PREFIX } from '@steward/contracts';
import { StartupError } from '@steward/runtime';
import type { AnyContract, Catalogue } from './catalogue.ts';
import type { ConsumerPlan, NatsClient, StreamPlan } from './nats-types.ts';
import { DEAD_LETTER_LIMITS, WORK_QUEUE_LIMITS } from './stream-limits.ts';

/** The streams of a catalogue: one work queue per stream name, and the dead-letter stream. */
export function planStreams(catalogue: Catalogue, replicas: number): readonly StreamPlan[] {
  const subjects = new Map<string, string[]>();
  for (const contract of Object.values(catalogue)) {
    subjects.set(contract.stream, [...(subjects.get(contract.stream) ?? []), contract.subject]);
  }
  return [
    ...[...subjects].map(([name, list]) => ({ ...WORK_QUEUE_LIMITS, name, subjects: list, replicas })),
    { ...DEAD_LETTER_LIMITS, name: DEAD_LETTER_STREAM, subjects: [`${DEAD_LETTER_SUBJECT_PREFIX}.>`], replicas },
  ];
}

export function planConsumer(contract: AnyContract): ConsumerPlan {
  return {
    stream: contract.stream,
    durable: contract.consumer.durable,
    subject: contract.subject,
    ackWaitSeconds: contract.consumer.ackWaitSeconds,
    maxAckPending: contract.consumer.maxAckPending,
  };
}

/**
 * Creates what is missing and updates what differs; repeating it changes nothing. Any number of processes may run it at once and in
 * any order, so no process has to be started first.
 *
 * @param replicas undefined: 1 for a new stream, an existing stream keeps what it has.
 * @throws StartupError when a stream of that name exists with another retention, which cannot be changed in place.
 */
export async function ensureStreams(
  client: NatsClient,
  catalogue: Catalogue,
  replicas: number | undefined,
): Promise<void> {
  for (const plan of planStreams(catalogue, replicas ?? 1)) await ensureStream(client, plan, replicas);
  for (const contract of Object.values(catalogue)) await client.upsertConsumer(planConsumer(contract));
}

async function ensureStream(client: NatsClient, plan: StreamPlan, replicas: number | undefined): Promise<void> {
  let existing = await client.findStream(plan.name);
  if (existing === undefined) {
    if ((await client.createStream(plan)) === 'created') return;
    // Another process created it between the two calls.
    existing = await client.findStream(plan.name);
    if (existing === undefined) throw new Error(`stream ${plan.name} was deleted while it was being created`);
  }
  const wanted = mergeStream(existing, plan, replicas);
  if (!isSameStream(existing, wanted)) await client.updateStream(wanted);
}

/** Subjects are only ever added: during a rolling update the older release must not take away what the newer one needs. */
export function mergeStream(existing: StreamPlan, plan: StreamPlan, replicas: number | undefined): StreamPlan {
  if (existing.retention !== plan.retention) {
    throw new StartupError(
      `stream ${plan.name} exists with retention ${existing.retention} instead of ${plan.retention}; delete or rename it (NATS_URL)`,
    );
  }
  return {
    ...plan,
    subjects: [...new Set([...existing.subjects, ...plan.subjects])],
    replicas: replicas ?? existing.replicas,
  };
}

function isSameStream(existing: StreamPlan, wanted: StreamPlan): boolean {
  const asText = (plan: StreamPlan): string =>
    JSON.stringify([
      [...plan.subjects].sort(),
      plan.whenFull,
      plan.maxAgeSeconds,
      plan.maxBytes,
      plan.duplicateWindowSeconds,
      plan.replicas,
    ]);
  return asText(existing) === asText(wanted);
}
