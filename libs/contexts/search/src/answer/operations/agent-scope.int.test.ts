import { newId } from '@steward/crypto';
import { transact } from '@steward/database';
import { saveAccountScopeGrants } from '../../grants/operations/save-account-scope-grants.ts';
import { idsOf, openAnswers, type OpenAnswers } from '../../testing/open-answers.ts';
import { openSemantic } from '../../testing/open-semantic.ts';
import type { SearchingAgent, SearchRequest } from '../search-request.ts';

let suite: OpenAnswers;
let accountId: string;
let own: string;
let ofKey: string;
let foreign: string;
const KEY = newId();
const AGENT = { type: 'managed_agent', id: 'agent-7' };

beforeAll(async () => {
  suite = await openAnswers();
});
beforeEach(async () => {
  suite.audited.length = 0;
  accountId = newId();
  own = await suite.tell(accountId, ['heron of my own'], { runtimePrincipalId: AGENT.id });
  ofKey = await suite.tell(accountId, ['heron of the key'], { apiKeyId: KEY });
  foreign = await suite.tell(accountId, ['heron of another'], { runtimePrincipalId: 'agent-8', apiKeyId: newId() });
});
afterAll(() => suite.close());

const search = (agent: Partial<SearchingAgent>, more: Partial<SearchRequest> = {}, of = accountId) => {
  const request = { query: 'heron', ...more };
  const searching = { scope: 'own', apiKeyId: undefined, runtimePrincipal: undefined, ...agent } as const;
  const call = suite.buildCall(of, request, { source: 'mcp', actor: { kind: 'agent', id: 'x' }, agent: searching });
  return suite.service.search(request, { ...call, signal: new AbortController().signal });
};
const allow = (subjectType: 'account' | 'managed_agent' | 'api_key', subjectId: string, isGranted = true) =>
  transact({ db: suite.database.db }, (trx) =>
    saveAccountScopeGrants(trx, {
      accountId,
      grants: [{ subjectType, subjectId, isGranted }],
      findUnknownSubject: () => Promise.resolve(undefined),
    }),
  );

describe('an agent that searches its own sessions (SRCH-63)', () => {
  it('finds the sessions of the agent bound to its credential, not those of its key', async () => {
    expect(idsOf(await search({ runtimePrincipal: AGENT, apiKeyId: KEY }))).toEqual([own]);
  });

  it('finds content stored with its key, if the key is bound to no agent', async () => {
    expect(idsOf(await search({ apiKeyId: KEY }))).toEqual([ofKey]);
  });

  it('does not find another agent’s session by its id', async () => {
    expect(idsOf(await search({ runtimePrincipal: AGENT }, { query: foreign }))).toEqual([]);
    expect(idsOf(await search({ apiKeyId: KEY }, { query: foreign }))).toEqual([]);
    expect(idsOf(await search({ runtimePrincipal: AGENT }, { query: own }))).toEqual([own]);
  });

  it('can narrow its scope by filters, but never widen it', async () => {
    const filter = { runtimePrincipalId: AGENT.id, sourceKind: 'tool_call' } as const;
    expect(idsOf(await search({ runtimePrincipal: AGENT }, { filter }))).toEqual([own]);
    expect(idsOf(await search({ runtimePrincipal: AGENT }, { filter: { sessionId: foreign } }))).toEqual([]);
    expect(idsOf(await search({ apiKeyId: KEY }, { filter: { runtimePrincipalId: 'agent-8' } }))).toEqual([]);
  });

  it.each([
    ['agent', { runtimePrincipal: AGENT }, { runtimePrincipalId: 'agent-8' }, 'runtime_principal_id'],
    ['key', { apiKeyId: KEY }, { apiKeyId: newId() }, 'api_key_id'],
  ])('is refused a filter on another %s', async (_what, agent, filter, field) => {
    await expect(search(agent, { filter })).rejects.toMatchObject({ code: 'invalid_request', detail: { field } });
  });

  it('without an identity is refused, with the reason', async () => {
    await expect(search({})).rejects.toMatchObject({ code: 'no_agent_identity', status: 403 });
    expect(suite.audited).toMatchObject([
      { status: 'denied', source: 'mcp', details: { error_code: 'no_agent_identity', scope: 'own' } },
    ]);
  });

  it('does not find sessions of other accounts, even with equal names (SRCH-8)', async () => {
    expect(idsOf(await search({ runtimePrincipal: AGENT, apiKeyId: KEY }, {}, newId()))).toEqual([]);
  });
});

describe('an agent that searches its account (SRCH-64)', () => {
  const agent = { scope: 'account', runtimePrincipal: AGENT, apiKeyId: KEY } as const;

  it('without a grant is refused, with the reason, and recorded as denied in the audit log', async () => {
    await expect(search(agent)).rejects.toMatchObject({ code: 'account_scope_not_granted', status: 403 });
    expect(suite.audited).toMatchObject([
      {
        source: 'mcp',
        actor: { kind: 'agent' },
        status: 'denied',
        details: { error_code: 'account_scope_not_granted', scope: 'account', mode: 'keyword' },
      },
    ]);
  });

  it.each([
    ['its account', () => allow('account', accountId)],
    ['the agent', () => allow('managed_agent', AGENT.id)],
    ['the key', () => allow('api_key', KEY)],
  ])('finds all sessions of the account after a grant for %s, starting with the next search', async (_what, give) => {
    await expect(search(agent)).rejects.toMatchObject({ code: 'account_scope_not_granted' });
    await give();
    expect(idsOf(await search(agent)).sort()).toEqual([own, ofKey, foreign].sort());
    expect(suite.audited.at(-1)).toMatchObject({ status: 'success', source: 'mcp', details: { scope: 'account' } });
  });

  it('is refused if the grant is false, and if its principal is not a managed agent', async () => {
    await allow('api_key', KEY, false);
    await expect(search(agent)).rejects.toMatchObject({ code: 'account_scope_not_granted' });
    await allow('managed_agent', AGENT.id);
    const flow = { ...agent, apiKeyId: undefined, runtimePrincipal: { type: 'flow', id: AGENT.id } };
    await expect(search(flow)).rejects.toMatchObject({ code: 'account_scope_not_granted' });
  });

  it('gets a cursor that is refused in a search of its own sessions', async () => {
    await allow('account', accountId);
    const { nextCursor } = await search(agent, { limit: 1 });
    const cursor = nextCursor ?? undefined;
    expect(idsOf(await search(agent, { limit: 1, cursor }))).toHaveLength(1);
    await expect(search({ ...agent, scope: 'own' }, { limit: 1, cursor })).rejects.toMatchObject({
      code: 'invalid_request',
      detail: { field: 'cursor' },
    });
  });
});

describe('a search of a person', () => {
  it('covers the account and reports no scope', async () => {
    expect(idsOf(await suite.ask(accountId, { query: 'heron' }))).toHaveLength(3);
    expect(suite.audited[0]?.details).not.toHaveProperty('scope');
  });
});

describe('a hybrid search of an agent', () => {
  it('is restricted in both lexical and vector search: no session of another agent is found by similarity (SRCH-63)', async () => {
    const semantic = await openSemantic();
    try {
      const of = newId();
      await semantic.enable(of);
      const mine = await semantic.tell(of, ['the automobile of the agent'], { runtimePrincipalId: AGENT.id });
      const byKey = await semantic.tell(of, ['the vehicle of the key'], { apiKeyId: KEY });
      await semantic.tell(of, ['the vehicle of another'], { runtimePrincipalId: 'agent-8', apiKeyId: newId() });
      await semantic.embedAll(of);
      const ask = async (mode: 'semantic' | 'hybrid', agent: Partial<SearchingAgent>) => {
        const request = { query: 'car', mode };
        const searching = { scope: 'own', apiKeyId: undefined, runtimePrincipal: undefined, ...agent } as const;
        const call = { ...semantic.buildCall(of, request), source: 'mcp', agent: searching } as const;
        const answer = await semantic.service.search(request, { ...call, signal: new AbortController().signal });
        return [answer.effectiveMode, idsOf(answer)];
      };
      for (const mode of ['semantic', 'hybrid'] as const) {
        expect(await ask(mode, { runtimePrincipal: AGENT })).toEqual([mode, [mine]]);
        expect(await ask(mode, { apiKeyId: KEY })).toEqual([mode, [byKey]]);
        const calls = semantic.provider.asked.length;
        await expect(ask(mode, { scope: 'account', apiKeyId: KEY })).rejects.toMatchObject({ status: 403 });
        expect(semantic.provider.asked).toHaveLength(calls);
      }
    } finally {
      await semantic.close();
    }
  });
});
