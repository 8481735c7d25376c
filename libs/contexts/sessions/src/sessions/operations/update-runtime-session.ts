import type { HintSink } from '@steward/contracts';
import type { AnyTransaction } from '@steward/database';
import { cleanLabels, replaceSessionLabels } from '@steward/search';
import type { RuntimeSession, SessionWriteOptions } from '../runtime-session.ts';
import { toRuntimeSession } from '../store/find-session.store.ts';
import { changeSession } from '../store/runtime-session.store.ts';
import { nonBlank } from '../rules/non-blank.ts';
import { writeSessionSummary } from './write-session-summary.ts';

export interface UpdateRuntimeSessionInput {
  readonly accountId: string;
  readonly sessionId: string;
  /** New title; undefined leaves it unchanged, null or blank removes it. */
  readonly title?: string | null | undefined;
  readonly summary?: string | null | undefined;
  /** New labels; undefined leaves them unchanged, null or an empty list removes them. */
  readonly labels?: readonly string[] | null | undefined;
  /** Whether the session is protected from deletion; undefined leaves this unchanged. */
  readonly legalHold?: boolean | undefined;
  readonly now: Date;
}

/**
 * Changes title and summary (and their chunk), labels, and protection from deletion. Returns undefined if the account
 * has no such session.
 */
export async function updateRuntimeSession(
  trx: AnyTransaction,
  hints: HintSink,
  input: UpdateRuntimeSessionInput,
  options: Pick<SessionWriteOptions, 'indexEnabled'>,
): Promise<RuntimeSession | undefined> {
  const labels = input.labels === undefined ? undefined : cleanLabels(input.labels ?? []);
  const row = await changeSession(trx, input, {
    ...(input.title === undefined ? {} : { title: nonBlank(input.title) }),
    ...(input.summary === undefined ? {} : { summary: nonBlank(input.summary) }),
    ...(labels === undefined ? {} : { labels }),
    ...(input.legalHold === undefined ? {} : { legalHold: input.legalHold }),
  });
  if (row === undefined) return undefined;
  const session = toRuntimeSession(row);
  if (labels !== undefined) await replaceSessionLabels(trx, { ...input, labels });
  await writeSessionSummary(trx, hints, [session], options);
  return session;
}
