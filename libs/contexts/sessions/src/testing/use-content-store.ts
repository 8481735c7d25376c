import { createSecretBox, KEY_PURPOSES } from '@steward/crypto';
import { APP_ROLES, type AnyDatabase } from '@steward/database';
import { createMetrics, type Metrics } from '@steward/process';
import { createS3Store, type Bucket } from '@steward/storage';
import { startTestObjectStore, type TestObjectStore } from '@steward/testing';
import { createContentObjects, type ContentObjects } from '../objects/content-objects.ts';
import { moveContent, type MoveOutcome, type MoveRequest } from '../objects/operations/move-content.ts';
import type { Key, useSessions } from './use-sessions.ts';

const SECRET_KEY = 'a-secret-key-for-tests-only-0123456789';
const logger = { warn: () => undefined };

/** Returns a text that is large enough to be moved. */
export const long = (seed: string, bytes = 20_000): string =>
  seed.repeat(Math.ceil(bytes / seed.length)).slice(0, bytes);

/** Metrics that several stores of a test share, each counter created once. */
function shareMetrics(): Pick<Metrics, 'counter'> {
  const metrics = createMetrics('test');
  const counters = new Map<string, ReturnType<Metrics['counter']>>();
  return {
    counter(name, help, labels) {
      const counter = counters.get(name) ?? metrics.counter(name, help, labels);
      counters.set(name, counter);
      return counter;
    },
  };
}

/** Sets up an object store for large content, and a sweeper that moves bodies to it. */
export function useContentStore(sessions: ReturnType<typeof useSessions>) {
  const metrics = shareMetrics();
  let server: TestObjectStore;
  let bucket: Bucket;
  let sweeper: AnyDatabase;
  beforeAll(async () => {
    server = await startTestObjectStore();
    sweeper = sessions.connectAs(APP_ROLES.backfillSweeper).db;
    bucket = createS3Store({
      endpoint: server.url,
      bucket: server.bucket,
      region: 'us-east-1',
      prefix: 'steward/',
      accessKeyId: server.accessKeyId,
      secretAccessKey: server.secretAccessKey,
      pathStyle: true,
      timeoutMs: 60_000,
      retryDelaysMs: [20, 50, 100],
    });
  });
  afterAll(() => server.stop());

  /** Opens the store like a separate process. */
  const open = (
    change: Partial<Bucket> = {},
    { secretKeys = [SECRET_KEY], openMs = 60_000 }: { secretKeys?: readonly string[]; openMs?: number } = {},
  ): ContentObjects =>
    createContentObjects({
      bucket: { ...bucket, ...change },
      box: createSecretBox(secretKeys, KEY_PURPOSES.sessionContent),
      logger,
      metrics,
      pauseMs: 0,
      openMs,
    });
  return {
    server: () => server,
    bucket: () => bucket,
    /** The database with the role of the sweeper. */
    sweeper: () => sweeper,
    open,
    /** Moves all bodies above 16 KiB, however new they are; returns the outcomes. */
    async move(objects: ContentObjects = open(), change: Partial<MoveRequest> = {}): Promise<readonly MoveOutcome[]> {
      const outcomes: MoveOutcome[] = [];
      await moveContent(
        { db: sweeper, objects },
        {
          largerThan: 16_384,
          minAgeSeconds: -60,
          signal: new AbortController().signal,
          onOutcome: (outcome) => void outcomes.push(outcome),
          ...change,
        },
      );
      return outcomes;
    },
    /** Returns the number of bodies of a session that are in the store. */
    async countMoved({ sessionId }: Key): Promise<number> {
      const rows = await sessions.query(
        'select from gateway.session_content where runtime_session_id = $1 and content is null and content_object is not null',
        [sessionId],
      );
      return rows.length;
    },
    /** Lets all claims of killed processes end. */
    endClaims: () => sessions.query('delete from gateway.content_claim'),
    /** Keys of the stored objects, without the prefix of the deployment. */
    listKeys: () => server.listKeys().map((key) => key.slice('steward/'.length)),
    /** Keys that rows name. */
    async listNamed(): Promise<string[]> {
      const rows = await sessions.query<{ key: string }>(
        'select content_object as key from gateway.session_content where content_object is not null order by 1',
      );
      return rows.map(({ key }) => key);
    },
  };
}
