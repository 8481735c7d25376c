import { beginTrace } from '@steward/crypto';
import { assertSchemaFits, createDatabase, secureDatabaseUrl, type AnyDatabase } from '@steward/database';
import {
  createLogger,
  createMetrics,
  loadSettings,
  readDatabaseTls,
  tlsSettings,
  type SettingsOf,
} from '@steward/process';
import {
  advanceWalk,
  backfillSettings,
  readBackfillState,
  readHorizon,
  type BackfillState,
  type WalkDeps,
} from '@steward/backfill';
import { listAccountIds } from '@steward/identity';
import { SLICES } from '../app.ts';
import { backfillSweeperSettings, contentStoreSettings } from '../config.ts';
import { openContentStore } from '../objects/open-content-store.ts';
import { createPassBudget } from '../passes/pass-budget.ts';
import { createProgress, type Progress } from './progress.ts';

export interface ByHand {
  readonly accountId: string;
  /** Whether passes are run until the whole account is processed. */
  readonly isAll: boolean;
  readonly isDryRun: boolean;
  readonly signal: AbortSignal;
}

const byHandSettings = {
  ...backfillSettings,
  ...contentStoreSettings,
  databaseUrl: backfillSweeperSettings.databaseUrl,
  databaseDirectUrl: backfillSweeperSettings.databaseDirectUrl,
  ...tlsSettings.database,
  maxSeconds: backfillSweeperSettings.maxSeconds,
} as const;
type Settings = SettingsOf<typeof byHandSettings>;

/** Broker that sends nothing: the indexer finds the written rows without being notified. */
const broker = { publishHint: () => undefined };

/**
 * Indexes the history of one account; with `isDryRun`, only shows how much of it is indexed. Returns the exit code.
 * @throws for a missing account or database
 */
export async function walkByHand(environment: NodeJS.ProcessEnv, asked: ByHand): Promise<number> {
  const settings = loadSettings(byHandSettings, environment);
  const logger = createLogger({ service: 'backfill-sweeper', level: 'error', pretty: true });
  const url = secureDatabaseUrl(settings.databaseDirectUrl ?? settings.databaseUrl, readDatabaseTls(settings));
  const database = createDatabase({ url, applicationName: 'steward-backfill-by-hand', poolSize: 4, logger });
  try {
    await database.connect();
    for (const slice of SLICES) await assertSchemaFits(database.db, slice);
    if (!(await listAccountIds(database.db)).includes(asked.accountId))
      throw new Error(`the account ${asked.accountId} does not exist`);
    const before = await readState(database.db, settings, asked.accountId);
    say(describe(before));
    if (asked.isDryRun) return 0;
    const contentObjects = openContentStore(settings, { logger, metrics: createMetrics('backfill-sweeper') });
    return await walk({ db: database.db, broker, contentObjects }, settings, { ...asked, before });
  } finally {
    await database.close();
  }
}

const say = (text: string): void => void process.stdout.write(`${text}\n`);

const readState = (db: AnyDatabase, settings: Settings, accountId: string): Promise<BackfillState> =>
  readBackfillState(db, { accountId, maxAgeDays: settings.maxAgeDays, pace: settings });

function describe(state: BackfillState): string {
  const { coverage, remainingSessions, isLeast, sessionsWithoutChunks, chunksPerSession, estimatedSeconds } = state;
  const from = coverage.indexedFrom === null ? '' : `, complete since ${coverage.indexedFrom.toISOString()}`;
  return [
    `state: ${coverage.backfillState}${from}`,
    `remaining: ${isLeast ? 'at least ' : ''}${remainingSessions} sessions, about ${sessionsWithoutChunks} of them without indexed content; expected chunks for each of these: ${chunksPerSession}`,
    `the sweeper needs about ${estimatedSeconds} s for the remaining sessions`,
  ].join('\n');
}

async function walk(
  deps: WalkDeps,
  settings: Settings,
  { accountId, isAll, signal, before }: ByHand & { readonly before: BackfillState },
): Promise<number> {
  const left = Math.round(before.sessionsWithoutChunks * before.chunksPerSession);
  const most = Math.min(settings.maxRowsPerPass, settings.maxRowsPerAccount);
  const progress = createProgress(process.stderr, isAll ? left : Math.min(left, most));
  const begun = performance.now();
  const horizon = await readHorizon(deps.db, settings.maxAgeDays);
  let rows = 0;
  let outcome: Outcome;
  do {
    const budget = createProgressBudget(settings, progress);
    const request = { accountId, horizon, budget, traceparent: beginTrace(), signal };
    outcome = await advanceWalk(deps, request);
    rows += budget.rows;
  } while (isAll && !signal.aborted && ENDS_OF_A_PASS.has(outcome));
  progress.end();
  const seconds = Math.round((performance.now() - begun) / 100) / 10;
  say(`${rows} rows written in ${seconds} s; ${signal.aborted ? 'stopped' : ENDS[outcome]}`);
  say(describe(await readState(deps.db, settings, accountId)));
  return outcome === 'failed' || outcome === 'busy' ? 1 : 0;
}

type Outcome = Awaited<ReturnType<typeof advanceWalk>>;

const ENDS_OF_A_PASS: ReadonlySet<Outcome> = new Set<Outcome>(['account_rows', 'pass_rows', 'pass_seconds']);

const ENDS: Readonly<Record<Outcome, string>> = {
  account_rows: 'the row limit of a pass is reached',
  pass_rows: 'the row limit of a pass is reached',
  pass_seconds: 'the time limit of a pass is reached',
  finished: 'the account is completely indexed',
  complete: 'there was nothing to index',
  failed: 'some content could not be indexed: it is retried in an hour',
  busy: 'another process is indexing this account and continues with it',
};

/** Creates the budget of one pass, which also reports the written rows to the display of the progress. */
function createProgressBudget(limits: Settings, progress: Progress) {
  const begun = performance.now();
  const budget = createPassBudget(limits, () => (performance.now() - begun) / 1000);
  return {
    ...budget,
    spend(rows: number) {
      budget.spend(rows);
      progress.add(rows);
    },
    get rows() {
      return budget.rows;
    },
  };
}
