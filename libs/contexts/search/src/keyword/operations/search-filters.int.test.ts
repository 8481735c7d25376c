import { newId } from '@steward/crypto';
import type { SourceKind } from '@steward/contracts';
import { SOURCE_KINDS } from '@steward/contracts';
import { useOpened } from '@steward/testing';
import { openSearch } from '../../testing/open-search.ts';
import type { ChunkFilter } from '../chunk-filter.ts';
import { findKeySessions } from './find-key-sessions.ts';

const suite = useOpened(openSearch);
const at = (day: number) => new Date(Date.UTC(2026, 9, day));

describe('filters of a search (SRCH-7)', () => {
  const accountId = newId();
  const flowId = newId();
  const [keyId, otherKeyId] = [newId(), newId()];
  const sessions = [newId(), newId()];
  beforeAll(async () => {
    const facts = [
      { role: 'user', modelAlias: 'small', providerName: 'acme', runtimePrincipalId: 'Bot', apiKeyId: keyId, flowId },
      {
        role: 'assistant',
        modelAlias: 'Small',
        providerName: 'other',
        runtimePrincipalId: 'bot',
        apiKeyId: otherKeyId,
      },
    ];
    for (const [index, more] of facts.entries())
      await suite().write(accountId, 'plover on the shore', {
        ...more,
        sourceKind: index === 0 ? 'transcript_message' : 'tool_call',
        runtimeSessionId: sessions[index] ?? '',
        occurredAt: at(10 + index),
      });
  });
  const find = async (filter: ChunkFilter) =>
    (await suite().search(accountId, 'plover', { filter })).sessions.map(({ sessionId }) =>
      sessions.indexOf(sessionId),
    );

  it.each<[string, ChunkFilter, number[]]>([
    ['nothing', {}, [1, 0]],
    ['its beginning, which is of the range', { startDate: at(11) }, [1]],
    ['its end, which is not', { endDate: at(11) }, [0]],
    ['a range', { startDate: at(10), endDate: at(12) }, [1, 0]],
    ['a range of nothing', { startDate: at(11), endDate: at(11) }, []],
    ['a kind of source', { sourceKind: 'tool_call' }, [1]],
    ['a model, as it is written', { modelAlias: 'small' }, [0]],
    ['a provider', { providerName: 'other' }, [1]],
    ['an agent, as it is written', { runtimePrincipalId: 'bot' }, [1]],
    ['a key', { apiKeyId: keyId }, [0]],
    ['a flow', { flowId }, [0]],
    ['a session', { sessionId: sessions[1] }, [1]],
    ['a role', { role: 'assistant' }, [1]],
    ['two that fit', { role: 'user', flowId }, [0]],
    ['two that fit none', { role: 'assistant', flowId }, []],
  ])('%s', async (_what, filter, found) => {
    expect(await find(filter)).toEqual(found);
  });

  it('accept an id in uppercase', async () => {
    expect(await find({ flowId: flowId.toUpperCase() })).toEqual([0]);
    expect(await find({ sessionId: (sessions[0] ?? '').toUpperCase() })).toEqual([0]);
  });

  it.each(SOURCE_KINDS)('match chunks of %s (CORP-2)', async (sourceKind: SourceKind) => {
    const other = newId();
    await suite().write(other, 'plover', { sourceKind });
    for (const kind of SOURCE_KINDS)
      expect((await suite().search(other, 'plover', { filter: { sourceKind: kind } })).total).toBe(
        kind === sourceKind ? 1 : 0,
      );
  });
});

describe('the number of matching sessions', () => {
  it('is exact for up to 1,000 chunks, however few are shown (SRCH-14)', async () => {
    const accountId = newId();
    const runtimeSessionId = newId();
    await suite().write(accountId, 'grebe', { runtimeSessionId });
    await suite().write(accountId, 'grebe again', { runtimeSessionId });
    await suite().write(accountId, 'grebe elsewhere');
    const page = await suite().search(accountId, 'grebe', { limit: 1 });
    expect(page).toMatchObject({ total: 2, totalIsExact: true });
    // One more than requested shows that there is another page.
    expect(page.sessions).toHaveLength(2);
    expect(page.sessions[0]).toMatchObject({ sessionId: runtimeSessionId, matchedChunkCount: 2 });
  });

  it('is exactly zero if nothing matches (SRCH-14)', async () => {
    expect(await suite().search(newId(), 'grebe')).toMatchObject({
      total: 0,
      totalIsExact: true,
      sessions: [],
      snippets: [],
    });
  });
});

describe('the sessions of an API key (SRCH-10)', () => {
  const options = { timeoutMs: 20_000, signal: new AbortController().signal };

  it('are the sessions with content stored by the key, newest first, each once, up to the requested number', async () => {
    const accountId = newId();
    const apiKeyId = newId();
    const ids: string[] = [];
    for (let index = 0; index < 4; index += 1) {
      const runtimeSessionId = newId();
      ids.unshift(runtimeSessionId);
      for (const text of ['one', 'two']) await suite().write(accountId, text, { apiKeyId, runtimeSessionId });
      await suite().write(accountId, 'of another key', { apiKeyId: newId() });
    }
    const find = (limit: number, of = accountId) =>
      findKeySessions(suite().pools, { accountId: of, apiKeyId, limit }, options);
    expect(await find(50)).toEqual(ids);
    expect(await find(2)).toEqual(ids.slice(0, 2));
    expect(await find(0)).toEqual([]);
    expect(await find(50, newId())).toEqual([]);
  });

  it('are looked up within the time limit of a search (SRCH-28)', async () => {
    const client = await suite().admin.pool.connect();
    await client.query('begin; lock table search.chunk in access exclusive mode');
    try {
      const key = { accountId: newId(), apiKeyId: newId(), limit: 5 };
      await expect(findKeySessions(suite().pools, key, { ...options, timeoutMs: 200 })).rejects.toMatchObject({
        code: 'search_timeout',
      });
    } finally {
      await client.query('rollback');
      client.release();
    }
  });
});
