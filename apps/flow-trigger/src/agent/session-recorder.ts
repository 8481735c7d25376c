import { AppError } from '@steward/contracts';
import type { AnyDatabase, HintPublisher } from '@steward/database';
import type { Clock } from '@steward/async';
import type { SessionWriteOptions } from '@steward/sessions';
import { appendSessionContent, type SessionContentEntry } from '@steward/sessions';
import { transactLeased, type HeldExecution } from '../run/transact-leased.ts';

export interface RecorderDeps {
  readonly db: AnyDatabase;
  readonly broker: HintPublisher;
  readonly clock: Clock;
  readonly options: SessionWriteOptions;
}

/** Stores content in the session of a run. */
export type RecordContent = (entry: SessionContentEntry) => Promise<void>;

/**
 * Creates the function that stores content in the session of a run, without the values that `redact` also removes from
 * the log.
 */
export function createSessionRecorder(
  deps: RecorderDeps,
  execution: HeldExecution,
  redact: (text: string) => string,
): RecordContent {
  const session = { accountId: execution.account_id, sessionId: execution.runtime_session_id ?? '' };
  return async (entry) => {
    const shown = JSON.parse(redact(JSON.stringify(entry))) as SessionContentEntry;
    const input = { ...session, entries: [shown], now: deps.clock.now() };
    await transactLeased(deps, execution, (trx, hints) => appendSessionContent(trx, hints, input, deps.options)).catch(
      ignoreDeleted,
    );
  };
}

/** Ignores the error for a deleted session: a run continues without its session. */
function ignoreDeleted(error: unknown): void {
  if (!(error instanceof AppError && error.code === 'not_found')) throw error;
}
