import { WRITE_OPTIONS } from '../../testing/open-sessions.ts';
import { interaction, message, useSessions } from '../../testing/use-sessions.ts';
import type { SessionContentEntry } from '../rules/content-kinds.ts';
import { findUnindexedContent } from '../store/unindexed-content.store.ts';
import { listSessionChunkSources } from './list-chunk-sources.ts';

const sessions = useSessions();

describe('history that was stored while the index was off (CORP-1)', () => {
  it('is later split into chunks from the same texts as when it is indexed immediately', async () => {
    const entries: SessionContentEntry[] = [
      interaction({ messages: [{ role: 'user', content: 'alpha' }] }, 'beta'),
      { kind: 'tool_call', toolName: 'bash', arguments: { cmd: 'gamma' }, result: null, status: 'error' },
      message([{ type: 'text', text: 'delta' }]),
      { kind: 'flow_log', text: 'epsilon', step: 'clone', level: 'warn' },
      { kind: 'operator_note', text: 'zeta' },
    ];
    const indexed = await sessions.openSession({ title: 'Title' });
    await sessions.append(indexed, entries);
    const quiet = await sessions.openSession({ title: 'Title' });
    await sessions.append(quiet, entries, { ...WRITE_OPTIONS, indexEnabled: false });
    await sessions.append(quiet, entries.slice(0, 1), { ...WRITE_OPTIONS, indexEnabled: false, captureContent: false });

    const session = await sessions.read(quiet);
    const texts: string[] = [];
    let after: { occurredAt: Date; id: string } | undefined;
    do {
      const page = await listSessionChunkSources(sessions.db(), session!, { after, limit: 2 });
      texts.push(...page.sources.map((source) => source.text));
      after = page.next;
    } while (after !== undefined);
    const written = (await sessions.readChunks(indexed)).map((chunk) => chunk.content);
    expect(texts.sort()).toEqual([...written, 'model fast, provider acme'].sort());
  });

  it('consists of only one entry for title and summary if the session has no content, or is empty without these', async () => {
    const [titled, bare] = [await sessions.openSession({ title: 'T', summary: 'S' }), await sessions.openSession()];
    const read = async (key: typeof bare) =>
      listSessionChunkSources(sessions.db(), (await sessions.read(key))!, { limit: 10 });
    expect(await read(titled)).toMatchObject({
      sources: [{ sourceKind: 'session_summary', text: 'T\nS' }],
      next: undefined,
    });
    expect(await read(bare)).toEqual({ sources: [], next: undefined });
  });

  it('is recorded for the account up to the newest time that is not indexed, regardless of later content', async () => {
    const quiet = { ...WRITE_OPTIONS, indexEnabled: false };
    const key = await sessions.openSession();
    const read = async () => (await findUnindexedContent(sessions.db(), key.accountId))?.latestOccurredAt;
    await sessions.append(key, [message('indexed')]);
    expect(await read()).toBeUndefined();
    const at = (day: number) => new Date(Date.UTC(2026, 0, day));
    for (const [day, latest] of [
      [5, 5],
      [3, 5],
      [9, 9],
    ] as const) {
      await sessions.append(key, [message('quiet', undefined, at(day))], quiet);
      expect(await read()).toEqual(at(latest));
    }
    await sessions.append(key, [message('indexed again', undefined, at(20))]);
    expect(await read()).toEqual(at(9));
  });

  it('is not recorded for other accounts or for a failed write', async () => {
    const [key, other] = [await sessions.openSession(), await sessions.openSession()];
    const quiet = { ...WRITE_OPTIONS, indexEnabled: false };
    await sessions.append(key, [message('quiet')], quiet);
    await expect(
      sessions.append(other, [{ ...interaction('p', 'r'), inputTokens: 2 ** 40 } as SessionContentEntry], quiet),
    ).rejects.toThrow();
    expect(await findUnindexedContent(sessions.db(), other.accountId)).toBeUndefined();
  });
});
