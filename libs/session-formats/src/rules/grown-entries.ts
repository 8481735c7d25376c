import type { SessionFormat, SessionItem } from '../session-item.ts';

/**
 * Formats whose entries are rewritten under the same ids in other files: a run that has ended in the meantime, a
 * response whose stream continued, a chat that was saved before its response was complete. The entries do not show
 * which one is newer, but an entry only ever grows.
 */
const GROWING: ReadonlySet<SessionFormat | undefined> = new Set<SessionFormat | undefined>([
  ...(['openai_chat', 'anthropic_messages', 'vercel_ui', 'langsmith'] as const),
]);
const MOST_REMEMBERED = 20_000;
const MOST_REVISION = 2_147_483_647;

/**
 * Gives longer versions of an entry a higher revision, regardless of the order in which their files are read; within a
 * file, the last version has the highest revision.
 */
export function createGrownEntries() {
  const sizes = new Map<string, number>();
  return {
    *pass(items: Iterable<SessionItem>, format: SessionFormat | undefined): Generator<SessionItem, void, undefined> {
      for (const item of items) {
        if (!GROWING.has(format)) {
          yield item;
          continue;
        }
        const { session, entry } = item;
        const key = `${session.sourceId}\n${entry.externalId}`;
        const ended = entry.kind === 'interaction' ? (entry.revision ?? 0) : 0;
        const size = JSON.stringify({ ...entry, revision: undefined }).length + ended;
        const revision = Math.min((sizes.get(key) ?? 0) + size, MOST_REVISION);
        sizes.delete(key);
        sizes.set(key, revision);
        const [oldest] = sizes.keys();
        if (sizes.size > MOST_REMEMBERED && oldest !== undefined) sizes.delete(oldest);
        yield { session, entry: { ...entry, revision } };
      }
    },
  };
}
