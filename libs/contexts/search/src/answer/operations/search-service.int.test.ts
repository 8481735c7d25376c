import { newId } from '@steward/crypto';
import { eventually } from '@steward/testing';
import { OutOfTimeError } from '@steward/database';
import { COVERAGE, NO_PROVIDER, openAnswers, type OpenAnswers } from '../../testing/open-answers.ts';
import { createSearchService } from './create-search-service.ts';
import type { SearchPorts } from '../search-ports.ts';

let suite: OpenAnswers;
beforeAll(async () => {
  suite = await openAnswers();
});
beforeEach(() => {
  suite.audited.length = 0;
  suite.lines.length = 0;
});
afterAll(() => suite.close());

/** Returns the service with other ports, on the same corpus. */
function serve(change: Partial<SearchPorts>) {
  const ports: SearchPorts = {
    db: suite.database.db,
    pools: suite.pools,
    timeoutMs: 20_000,
    ...NO_PROVIDER,
    embeddingEnabled: false,
    logger: { ...suite.logger, error: (event: string) => suite.lines.push({ event, fields: {} }) } as never,
    readSessionHeadings: () => Promise.resolve(new Map()),
    listAgentIds: ({ id }) => Promise.resolve([id]),
    findSessionsByIdentifier: () => Promise.resolve([]),
    readCoverage: () => Promise.resolve(COVERAGE),
    recordAudit: (entry) => Promise.resolve(void suite.audited.push(entry)),
    ...change,
  };
  const service = createSearchService(ports);
  return (query: string, signal: AbortSignal = new AbortController().signal) =>
    service.search({ query, mode: 'hybrid' }, { ...suite.buildCall(newId(), { query }), signal });
}

/** Blocks every search of the corpus while `work` runs. */
async function withLockedCorpus<T>(work: () => Promise<T>): Promise<T> {
  const client = await suite.admin.pool.connect();
  await client.query('begin; lock table search.chunk in access exclusive mode');
  try {
    return await work();
  } finally {
    await client.query('rollback');
    client.release();
  }
}
const countWaiting = async (): Promise<number> => {
  const [row] = await suite.query<{ count: number }>(
    `select count(*) as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return row?.count ?? 0;
};

describe('the record of a search in the audit log (SRCH-30)', () => {
  it('is one row that describes the query and its outcome, without the words of the query', async () => {
    const accountId = newId();
    await suite.tell(accountId, ['kestrel']);
    await suite.ask(accountId, { query: 'Kestrel', mode: 'hybrid' });
    expect(suite.audited).toEqual([
      {
        accountId,
        actor: { kind: 'user', id: 'user-1' },
        source: 'console',
        action: 'query',
        resourceType: 'session_search',
        resourceId: null,
        status: 'success',
        details: {
          query_hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) as unknown,
          query_chars: 7,
          mode: 'hybrid',
          effective_mode: 'keyword',
          result_count: 1,
          total_matched: 1,
          degraded_reasons: ['semantic_not_enabled'],
        },
        requestId: 'request-1',
      },
    ]);
    expect(JSON.stringify([suite.audited, suite.lines]).toLowerCase()).not.toContain('kestrel');
  });

  it.each([
    ['-nothing', 'query_has_no_terms'],
    ['  ', 'invalid_request'],
    ['- '.repeat(40), 'invalid_request'],
  ])('is also written for a refused search: %j', async (query, code) => {
    await expect(suite.ask(newId(), { query })).rejects.toMatchObject({ code });
    expect(suite.audited).toMatchObject([{ status: 'failure', details: { error_code: code } }]);
  });

  it('is written for a call refused by its route: as denied if a permission is missing, otherwise as failed', async () => {
    const call = suite.buildCall(newId(), { query: 'x' });
    await suite.service.noteRefusal(call, { errorCode: 'permission_denied', permission: 'view_runtime_sessions' });
    await suite.service.noteRefusal(call, { errorCode: 'invalid_request' });
    expect(suite.audited.map(({ status }) => status)).toEqual(['denied', 'failure']);
    expect(suite.audited[0]?.details).toMatchObject({
      error_code: 'permission_denied',
      permission: 'view_runtime_sessions',
    });
    expect(suite.audited[1]?.details).not.toHaveProperty('permission');
  });

  it('names the surface of the call', async () => {
    const accountId = newId();
    const request = { query: 'x' };
    const call = suite.buildCall(accountId, request, { source: 'mcp', actor: { kind: 'agent', id: 'agent-1' } });
    await suite.service.search(request, { ...call, signal: new AbortController().signal });
    expect(suite.audited).toMatchObject([{ source: 'mcp', actor: { kind: 'agent', id: 'agent-1' } }]);
  });

  it('is written before the response is sent (SRCH-29)', async () => {
    let release: () => void = () => undefined;
    const written = new Promise<void>((resolve) => (release = resolve));
    let isAnswered = false;
    let isAsked = false;
    const recordAudit = (): Promise<void> => {
      isAsked = true;
      return written;
    };
    const answer = serve({ recordAudit })('word').then(() => (isAnswered = true));
    await eventually(() => isAsked);
    expect(isAnswered).toBe(false);
    release();
    expect(await answer).toBe(true);
  });

  it('does not prevent the response if it cannot be written; the error is logged (SRCH-29)', async () => {
    const answer = await serve({ recordAudit: () => Promise.reject(new Error('disk full')) })('word');
    expect(answer.total).toBe(0);
    expect(suite.lines.map(({ event }) => event)).toEqual(['search.audit_failed']);
  });
});

describe('a search that exceeds its time limit (SRCH-28, LIM-25)', () => {
  it('is cancelled, returns 503 search_timeout with a retry time, and is recorded', async () => {
    const search = serve({ timeoutMs: 2000 });
    await withLockedCorpus(async () => {
      await expect(search('word')).rejects.toMatchObject({ code: 'search_timeout', status: 503, retryAfterSeconds: 5 });
      await eventually(async () => (await countWaiting()) === 0);
    });
    expect(suite.audited).toMatchObject([{ status: 'failure', details: { error_code: 'search_timeout' } }]);
    expect((await serve({})('word')).total).toBe(0);
  });

  it('is reported as timed out even if only its coverage took too long', async () => {
    const readCoverage = () => Promise.reject(new OutOfTimeError('coverage'));
    await expect(serve({ readCoverage })('word')).rejects.toMatchObject({ code: 'search_timeout' });
  });

  it('is cancelled when its client disconnects, and recorded as cancelled', async () => {
    const client = new AbortController();
    await withLockedCorpus(async () => {
      const left = serve({})('word', client.signal).catch((error: unknown) => error);
      await eventually(async () => (await countWaiting()) > 0);
      client.abort(new Error('the client left'));
      expect(await left).toMatchObject({ message: 'the client left' });
      await eventually(async () => (await countWaiting()) === 0);
    });
    expect(suite.audited).toMatchObject([{ status: 'failure', details: { error_code: 'client_gone' } }]);
  });
});

describe('a search with a failing part', () => {
  it('fails with the error of that part, without waiting for the others', async () => {
    const aborted: boolean[] = [];
    const readCoverage: SearchPorts['readCoverage'] = (_key, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          aborted.push(true);
          reject(new Error('cancelled'));
        });
      });
    await expect(serve({ readCoverage })('-none')).rejects.toMatchObject({ code: 'query_has_no_terms' });
    expect(aborted).toEqual([true]);
    expect(suite.audited).toMatchObject([{ details: { error_code: 'query_has_no_terms' } }]);
  });

  it('is recorded with the error code internal after an unexpected error', async () => {
    const readSessionHeadings = () => Promise.reject(new Error('bug'));
    await expect(serve({ readSessionHeadings })('word')).rejects.toThrow('bug');
    expect(suite.audited).toMatchObject([{ status: 'failure', details: { error_code: 'internal' } }]);
  });

  it('reports that the deployment does not support semantic search (SRCH-24)', async () => {
    const { degraded } = await serve({})('word');
    expect(degraded.reasons).toEqual(['semantic_disabled_by_deployment']);
  });
});
