import { transact, type AnyDatabase, type HintPublisher } from '@steward/database';
import type { Clock } from '@steward/runtime';
import type { FlowWriteOptions } from '@steward/slice-flows';
import { appendSessionContent, type SessionContentEntry } from '@steward/slice-gateway';

export interface RecorderDeps {
  readonly db: AnyDatabase;
  readonly broker: HintPublisher;
  readonly clock: Clock;
  readonly options: FlowWriteOptions;
}

/** Stores what the agent did as content of the execution's session, where the search finds it. */
export type RecordContent = (entry: SessionContentEntry) => Promise<void>;

/** `redact` keeps what the log hides out of the session as well. */
export function createSessionRecorder(
  deps: RecorderDeps,
  session: { readonly accountId: string; readonly sessionId: string },
  redact: (text: string) => string,
): RecordContent {
  return async (entry) => {
    const shown = JSON.parse(redact(JSON.stringify(entry))) as SessionContentEntry;
    const input = { ...session, entries: [shown], now: deps.clock.now() };
    await transact(deps, (trx, hints) => appendSessionContent(trx, hints, input, deps.options));
  };
}
