import type { HintSink } from '@steward/contracts';
import type { AnyTransaction } from '@steward/database';
import type { RuntimeSession, SessionWriteOptions } from '../runtime-session.ts';
import { toRuntimeSession } from '../store/find-session.store.ts';
import { updateSessionTexts } from '../store/runtime-session.store.ts';
import { nonBlank } from '../rules/non-blank.ts';
import { writeSessionSummary } from './write-session-summary.ts';

export interface UpdateRuntimeSessionInput {
  readonly accountId: string;
  readonly sessionId: string;
  /** Left out: unchanged. Null or blank: cleared. */
  readonly title?: string | null | undefined;
  readonly summary?: string | null | undefined;
  readonly now: Date;
}

/** Changes title and summary, and the chunk made of them. Undefined when the account has no such session. */
export async function updateRuntimeSession(
  trx: AnyTransaction,
  hints: HintSink,
  input: UpdateRuntimeSessionInput,
  options: Pick<SessionWriteOptions, 'indexEnabled'>,
): Promise<RuntimeSession | undefined> {
  const row = await updateSessionTexts(trx, input, {
    ...(input.title === undefined ? {} : { title: nonBlank(input.title) }),
    ...(input.summary === undefined ? {} : { summary: nonBlank(input.summary) }),
  });
  if (row === undefined) return undefined;
  const session = toRuntimeSession(row);
  await writeSessionSummary(trx, hints, [session], options);
  return session;
}
