import type { HintSink } from '@steward/contracts';
import type { AnyTransaction } from '@steward/database';
import { writeChunks } from '@steward/slice-search';
import type { RuntimeSession, SessionWriteOptions } from '../runtime-session.ts';
import { renderSessionSummary } from '../rules/search-text.ts';

/** Writes the `session_summary` chunk of each session; the source is the session itself, so a change replaces it. */
export async function writeSessionSummary(
  trx: AnyTransaction,
  hints: HintSink,
  sessions: readonly RuntimeSession[],
  options: Pick<SessionWriteOptions, 'indexEnabled'>,
): Promise<void> {
  if (!options.indexEnabled || sessions.length === 0) return;
  const sources = sessions.map((session) => ({
    ...describeSessionForSearch(session),
    sourceKind: 'session_summary' as const,
    sourceId: session.id,
    occurredAt: session.startedAt,
    role: null,
    text: renderSessionSummary(session),
    redactionState: 'clear' as const,
    apiKeyId: session.apiKeyId,
  }));
  await writeChunks(trx, hints, sources);
}

/** What every chunk of a session carries for the search filters: the principal and flow at the time of writing. */
export function describeSessionForSearch(session: RuntimeSession) {
  return {
    accountId: session.accountId,
    runtimeSessionId: session.id,
    runtimePrincipalId: session.runtimePrincipalId,
    flowId: session.flowId,
  };
}
