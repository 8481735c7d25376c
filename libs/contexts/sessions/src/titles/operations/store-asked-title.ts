import type { HintSink } from '@steward/contracts';
import type { AnyTransaction } from '@steward/database';
import { maskCredentials } from '@steward/masking';
import { toStorableText } from '@steward/text';
import { writeSessionSummary } from '../../sessions/operations/write-session-summary.ts';
import type { RuntimeSession, SessionWriteOptions } from '../../sessions/runtime-session.ts';
import { toRuntimeSession } from '../../sessions/store/find-session.store.ts';
import { hasPersonWords, shortenText, TITLE_MAX_LENGTH } from '../rules/session-title.ts';
import { setAskedTitle } from '../store/title-setting.store.ts';

/**
 * Returns whether the model may generate the title: there are words written by a person, no title set by a client or an
 * import, and no earlier response from a model for these words.
 */
export function wantsAskedTitle(session: RuntimeSession): boolean {
  if (session.titleOrigin === 'client' || session.titleOrigin === 'imported') return false;
  return hasPersonWords(session.titleHint) && session.titleAskedOf !== session.titleHint;
}

/**
 * Stores the first line of a model's response as the title, shortened and without quotes; if nothing is left of the
 * line, the existing title is kept. In both cases, no further title is requested for this `titleHint`. Returns false if
 * a client or an import has set a title, or `titleHint` has changed in the meantime.
 */
export async function storeAskedTitle(
  trx: AnyTransaction,
  hints: HintSink,
  { session, answer }: { readonly session: RuntimeSession; readonly answer: string },
  options: Pick<SessionWriteOptions, 'indexEnabled'>,
): Promise<boolean> {
  const [line = ''] = answer.trim().split('\n');
  const words = line.replaceAll(/^[\s"'“”«»*#]+|[\s"'“”«»*.]+$/g, '');
  const title = shortenText(maskCredentials(toStorableText(words)), TITLE_MAX_LENGTH);
  const row = await setAskedTitle(trx, session, title === '' ? null : title);
  if (row === undefined) return false;
  await writeSessionSummary(trx, hints, [toRuntimeSession(row)], options);
  return true;
}
