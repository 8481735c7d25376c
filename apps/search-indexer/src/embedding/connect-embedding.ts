import { systemClock } from '@steward/async';
import type { SecretBox } from '@steward/crypto';
import type { AnyDatabase } from '@steward/database';
import { readOrigin } from '@steward/egress';
import { createEmbeddingClient } from '@steward/embedding-client';
import { createBackgroundTask, type Component, type Logger, type Metrics } from '@steward/process';
import { createSpaceGrowth, dropFormerSpaces, nudgeAccounts, readEmbeddingBacklog } from '@steward/search';
import type { SearchIndexerSettings } from '../config.ts';
import { createAccountNudges } from './account-nudges.ts';
import { EmbeddingLoop } from './embedding-loop.ts';
import { createEmbeddingMetrics } from './embedding-metrics.ts';
import { createEmbeddingSummary } from './embedding-summary.ts';

const SUMMARY_EVERY_SECONDS = 10;
const GAUGES_EVERY_SECONDS = 15;
const UPKEEP_EVERY_SECONDS = 10;
/** Share of the shutdown deadline for calls in progress; the rest is for closing the broker and the connection pool. */
const SHARE_OF_DEADLINE = 0.7;

export interface EmbeddingConnection {
  /** Components that those in `work` need until they have stopped, in the order of their start. */
  readonly components: readonly Component[];
  /** Components that embed chunks and maintain the vector spaces. */
  readonly work: readonly Component[];
  /** Registers that an account has new chunks. */
  nudge(accountId: string): void;
  readActivity(): Readonly<Record<string, unknown>>;
}

export interface EmbeddingParts {
  readonly db: AnyDatabase;
  readonly settings: SearchIndexerSettings;
  readonly secretBox: SecretBox;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/**
 * Creates all embedding components; if the deployment disabled embedding, only the task that maintains the vector
 * spaces.
 */
export function connectEmbedding({ db, settings, secretBox, logger, metrics }: EmbeddingParts): EmbeddingConnection {
  const growth = createSpaceGrowth({ db, logger, clock: systemClock, random: Math.random });
  const upkeep = createBackgroundTask({
    name: 'vector spaces',
    everySeconds: UPKEEP_EVERY_SECONDS,
    logger,
    async run(signal) {
      const growSpaces = growth.beginRun();
      while (!signal.aborted && (await growSpaces()) + (await dropFormerSpaces(db)) > 0);
    },
  });
  if (!settings.embeddingEnabled) {
    logger.warn('embedding.disabled', { variable: 'SESSION_EMBEDDING_ENABLED' });
    const readActivity = () => ({ embedding: 'disabled' });
    return { components: [], work: [upkeep], nudge: () => undefined, readActivity };
  }
  const client = createEmbeddingClient({
    insecureOrigins: settings.embeddingInsecureOrigins.map(readOrigin),
    allowedPrivateCidrs: settings.embeddingAllowedPrivateCidrs,
  });
  const embeddingMetrics = createEmbeddingMetrics(metrics);
  const summary = createEmbeddingSummary(logger);
  const shared = { db, logger, metrics: embeddingMetrics, summary, random: Math.random };
  const work = {
    prices: settings.embeddingPrices,
    deploymentCapUsd: settings.embeddingDailyCapUsd,
    batchSize: settings.embeddingBatchSize,
    reconcileSeconds: settings.embeddingReconcileSeconds,
  };
  const loop = new EmbeddingLoop(
    { ...shared, client, secretBox, work },
    {
      concurrency: settings.embeddingConcurrency,
      timeoutMs: settings.embeddingTimeoutSeconds * 1000,
      stopDeadlineMs: settings.stopDeadlineSeconds * SHARE_OF_DEADLINE * 1000,
    },
  );
  const nudges = createAccountNudges(async (accountIds) => {
    await nudgeAccounts(db, accountIds);
    loop.nudge();
  }, logger);
  const every = (name: string, everySeconds: number, run: () => Promise<void>): Component =>
    createBackgroundTask({ name, everySeconds, logger, run });
  const components = [
    { name: 'embedding client', stop: () => client.close() },
    { name: 'last summary', stop: () => summary.write() },
    every('embedding summary', SUMMARY_EVERY_SECONDS, () => Promise.resolve(summary.write())),
    every('embedding gauges', GAUGES_EVERY_SECONDS, async () =>
      embeddingMetrics.setLag((await readEmbeddingBacklog(db)).oldestDueSeconds),
    ),
    nudges,
  ];
  const { readActivity } = loop;
  return { components, work: [upkeep, loop], nudge: (accountId) => nudges.add(accountId), readActivity };
}
