import type { HintSink } from '@steward/contracts';
import type { AnyTransaction } from '@steward/database';
import { buildFallbackTitle, makeTitle, type TitleGenerator } from '../rules/session-title.ts';
import type { RuntimeSession, SessionWriteOptions } from '../../sessions/runtime-session.ts';
import { toRuntimeSession } from '../../sessions/store/find-session.store.ts';
import { storeGeneratedTitles, type GeneratedTitle } from '../../sessions/store/runtime-session.store.ts';
import { nonBlank } from '../../sessions/rules/non-blank.ts';
import { writeSessionSummary } from '../../sessions/operations/write-session-summary.ts';

/**
 * Maximum number of titles generated for one page of the list; further titles of the page are generated when the page
 * is requested again.
 */
export const MAX_TITLES_PER_LIST = 100;

/** Returns whether a session has no title, or a derived title that differs from what the current rule derives. */
export function needsTitle(session: RuntimeSession): boolean {
  if (session.title === null) return true;
  // A model has already responded to a request for a title for this `titleHint`, so the current title is kept.
  if (session.titleAskedOf !== null && session.titleAskedOf === session.titleHint) return false;
  return session.titleOrigin === 'generated' && session.title !== makeTitle(session);
}

/**
 * Generates titles for the sessions that need one. No transaction is open here, because a generator may take a long
 * time.
 */
export async function generateTitles(
  generator: TitleGenerator,
  sessions: readonly RuntimeSession[],
): Promise<GeneratedTitle[]> {
  const wanted = sessions.filter(needsTitle).slice(0, MAX_TITLES_PER_LIST);
  return Promise.all(
    wanted.map(async (session) => ({
      sessionId: session.id,
      title: nonBlank(await generator.generateTitle(session)) ?? buildFallbackTitle(session),
    })),
  );
}

/**
 * Stores generated titles and their `session_summary` chunks. Returns the changed sessions; a title set by a client or
 * an import takes precedence.
 */
export async function storeSessionTitles(
  trx: AnyTransaction,
  hints: HintSink,
  input: { readonly accountId: string; readonly titles: readonly GeneratedTitle[] },
  options: Pick<SessionWriteOptions, 'indexEnabled'>,
): Promise<RuntimeSession[]> {
  if (input.titles.length === 0) return [];
  const sessions = (await storeGeneratedTitles(trx, input.accountId, input.titles, options)).map(toRuntimeSession);
  await writeSessionSummary(trx, hints, sessions, options);
  return sessions;
}
