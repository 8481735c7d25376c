import { DEAD_LETTER_STREAM, DEAD_LETTER_SUBJECT_PREFIX, type AppName } from '@steward/contracts';
import { StartupError, type Logger } from '@steward/process';
import type { AnyContract, Catalogue } from './catalogue.ts';
import {
  PermissionDeniedError,
  ReplicasRefusedError,
  type ConsumerPlan,
  type NatsClient,
  type StreamPlan,
} from './nats/nats-types.ts';
import { DEAD_LETTER_LIMITS, WORK_QUEUE_LIMITS } from './stream-limits.ts';

export interface EnsureOptions {
  /** App whose streams and consumers are set up; default: those of every app. */
  readonly app?: AppName | undefined;
  /** Replicas of each stream; default: 1 for a new stream, unchanged for an existing one. */
  readonly replicas?: number | undefined;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Plans the streams of a catalog: one work queue per stream name, and the dead-letter stream. */
export function planStreams(
  catalogue: Catalogue,
  { app, replicas = 1 }: Omit<EnsureOptions, 'logger'> = {},
): readonly StreamPlan[] {
  return planAllStreams(catalogue, replicas).filter(
    ({ name }) => app === undefined || usesStream(catalogue, name, app),
  );
}

/**
 * Returns whether an app uses a stream: it publishes to the stream or consumes from it, or the stream is that of the
 * dead letters, and the app consumes messages that may become dead letters.
 */
function usesStream(catalogue: Catalogue, stream: string, app: AppName): boolean {
  return Object.values(catalogue).some(
    (contract) =>
      (contract.stream === stream && (contract.publishers.includes(app) || contract.consumer.app === app)) ||
      (stream === DEAD_LETTER_STREAM && contract.consumer.app === app),
  );
}

function planAllStreams(catalogue: Catalogue, replicas: number): readonly StreamPlan[] {
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
 * Creates missing streams and consumers, and updates those that differ; repeating the call changes nothing. Any number
 * of processes may run this at the same time and in any order, so no process has to start first.
 *
 * @throws StartupError if a stream with the name of a planned one has a different retention policy, which cannot be
 *   changed, or if the server cannot store the requested number of replicas
 */
export async function ensureStreams(client: NatsClient, catalogue: Catalogue, options: EnsureOptions): Promise<void> {
  const { app } = options;
  for (const plan of planStreams(catalogue, options)) {
    try {
      await ensureStream(client, plan, options);
    } catch (error) {
      if (!(error instanceof ReplicasRefusedError)) throw error;
      throw new StartupError(
        `NATS does not store ${plan.replicas} replicas of stream ${plan.name} (${error.message}); check NATS_STREAM_REPLICAS, and that all servers of the cluster are running`,
        { cause: error },
      );
    }
  }
  for (const contract of Object.values(catalogue)) {
    if (app === undefined || contract.consumer.app === app) await client.upsertConsumer(planConsumer(contract));
  }
}

async function ensureStream(
  client: NatsClient,
  plan: StreamPlan,
  { replicas, logger }: Pick<EnsureOptions, 'replicas' | 'logger'>,
): Promise<void> {
  let existing = await client.findStream(plan.name);
  if (existing === undefined) {
    if ((await client.createStream(plan)) === 'created') return;
    // Another process has created the stream between the two calls.
    existing = await client.findStream(plan.name);
    if (existing === undefined) throw new Error(`stream ${plan.name} was deleted while it was being created`);
  }
  const wanted = mergeStream(existing, plan, replicas);
  if (isSameStream(existing, wanted)) return;
  try {
    await client.updateStream(wanted);
  } catch (error) {
    if (!(error instanceof PermissionDeniedError)) throw error;
    // The existing stream remains usable; during a rolling update it may have been created by the newer release.
    logger.warn('stream.not_updated', {
      stream: plan.name,
      reason: 'only the operator user may update streams; run npm run migrate',
    });
  }
}

/**
 * Returns the settings for an existing stream. Subjects are only added: during a rolling update the older release must
 * not remove subjects that the newer one needs.
 */
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
