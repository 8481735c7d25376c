import { newId } from '@steward/crypto';
import { useOpened } from '@steward/testing';
import { at, COVERAGE, openAnswers } from '../../testing/open-answers.ts';
import type { CorpusCoverage } from '../search-ports.ts';

let coverage: CorpusCoverage = COVERAGE;
const suite = useOpened(() => openAnswers({ readCoverage: () => Promise.resolve(coverage) }));
const hint = async (accountId: string, query: string, more: object = {}) =>
  (await suite().ask(accountId, { query, ...more })).hint;

describe('the explanation of an empty response (SRCH-79)', () => {
  afterEach(() => (coverage = COVERAGE));

  it('is omitted if the query has results, including on a page beyond them', async () => {
    const accountId = newId();
    await suite().tell(accountId, ['a wombat']);
    expect([await hint(accountId, 'wombat'), await hint(accountId, 'wombat', { offset: 5 })]).toEqual([null, null]);
  });

  it('first names the content that is not indexed in the requested range', async () => {
    coverage = { ...COVERAGE, backfillComplete: false, backfillState: 'in_progress' };
    expect(await hint(newId(), 'wombat')).toBe(
      'Content from before 2026-01-01T00:00:00.000Z is not completely indexed yet: there may be more matching sessions.',
    );
    expect(await hint(newId(), 'wombat', { filter: { startDate: at(1) } })).toMatch(/^No session matches/);
    coverage = { ...coverage, indexedFrom: null };
    expect(await hint(newId(), 'wombat')).toBe('Nothing in this account is indexed yet.');
  });

  it('then names the content that was not captured', async () => {
    coverage = { ...COVERAGE, metadataOnlyFrom: at(3), metadataOnlyThrough: at(4) };
    expect(await hint(newId(), 'wombat')).toMatch(/^Content from 2026-10-03.* was not captured/);
  });

  it('suggests a spelling or another form that matches, but no other word', async () => {
    const accountId = newId();
    await suite().tell(accountId, ['the deployment of errors in staging', 'timeout while pulling']);
    expect(await hint(accountId, 'error')).toBe('No session matches; a search for "errors" finds some.');
    expect(await hint(accountId, '"deployments" of error')).toBe(
      'No session matches; a search for "\\"deployment\\" of errors" finds some.',
    );
    expect(await hint(accountId, 'tiemout')).toBe('No session matches; a search for "timeout" finds some.');
    expect(await hint(accountId, 'timeouts staging')).toBe(
      'No content contains all of these words; use fewer words, or "or" between them.',
    );
    expect(await hint(accountId, 'wombat')).toBe(
      'No session matches; words are not stemmed, so other forms of them may match.',
    );
  });

  it('suggests the query in quotes if flags were read as exclusions', async () => {
    const accountId = newId();
    await suite().tell(accountId, ['ran rm -rf /tmp/build today', 'kubectl get pods -n payments', 'grep -E x; ls -l']);
    const quoted = (query: string) =>
      `No session matches, because "-" before a word excludes the word; in quotes it does not: ${JSON.stringify(query)} matches.`;
    expect(await hint(accountId, 'rm -rf')).toBe(quoted('"rm -rf"'));
    expect(await hint(accountId, 'kubectl get pods -n payments')).toBe(quoted('"kubectl get pods -n payments"'));
    expect(await hint(accountId, 'grep -E', { mode: 'hybrid' })).toBe(quoted('"grep -E"'));
    expect(await hint(accountId, 'kubectl -n payments')).toBe(quoted('kubectl "-n" payments'));
    expect(await hint(accountId, 'payments -n', { filter: { toolName: 'bash' } })).not.toMatch(/in quotes/);
    expect(await hint(accountId, 'wombat -rf')).toBe(
      'No session matches; words are not stemmed, so other forms of them may match.',
    );
  });

  it("does not suggest words excluded by the filters or by the agent's scope, or words of another account", async () => {
    const accountId = newId();
    await suite().tell(accountId, ['secretly named'], { runtimePrincipalId: 'agent-2', occurredAt: at(5) });
    const none = 'No session matches; words are not stemmed, so other forms of them may match.';
    expect(await hint(accountId, 'secretli')).toBe('No session matches; a search for "secretly" finds some.');
    expect(await hint(newId(), 'secretli')).toBe(none);
    expect(await hint(accountId, 'secretli', { filter: { endDate: at(5) } })).toBe(none);
    expect(await hint(accountId, 'secretli', { filter: { toolName: 'bash' } })).toBe(none);
    const request = { query: 'secretli' };
    const agent = {
      scope: 'own',
      apiKeyId: undefined,
      runtimePrincipal: { type: 'managed_agent', id: 'agent-1' },
    } as const;
    const call = { ...suite().buildCall(accountId, request, { agent }), signal: new AbortController().signal };
    expect((await suite().service.search(request, call)).hint).toBe(none);
  });

  it('is not recorded: neither the log nor the audit log contains any of its words', async () => {
    const accountId = newId();
    await suite().tell(accountId, ['platypus']);
    await hint(accountId, 'platypuss');
    expect(JSON.stringify([suite().audited, suite().lines])).not.toContain('platypus');
  });
});
