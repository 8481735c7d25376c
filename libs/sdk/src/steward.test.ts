import { startHttpReceiver, type HttpReceiver, type ReceivedRequest } from '@steward/testing';
import { Steward, StewardError } from './index.ts';

type Answer = readonly [status: number, body?: unknown, headers?: Readonly<Record<string, string>>];

let service: HttpReceiver;
let answer: (request: ReceivedRequest, index: number) => Answer | 'cut';

beforeAll(async () => {
  service = await startHttpReceiver((request, response, index) => {
    const given = answer(request, index - seen);
    if (given === 'cut') return void response.destroy();
    const [status, body, headers] = given;
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  });
});
afterAll(() => service.close());

let seen = 0;
let steward: Steward;
beforeEach(() => {
  seen = service.requests.length;
  steward = new Steward({ baseUrl: `${service.url}/`, token: 'stw_key', retryDelayMs: 1 });
});

const sent = () => service.requests.slice(seen);
const refusal = async (work: PromiseLike<unknown>) => {
  const error = await Promise.resolve(work).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof StewardError) return error;
  throw new Error(`no StewardError: ${String(error)}`);
};
const busy: Answer = [503, { detail: { code: 'unavailable', message: 'Later.' }, request_id: 'r-1' }];

describe('an SDK call', () => {
  it('sends path, query, body and credential as the service expects them', async () => {
    answer = () => [200, { id: 'one' }];
    expect(await steward.readFlowSecret('a/b?c')).toEqual({ id: 'one' });
    await steward.importSessions('{}', { format: 'codex', label: ['team:a', 'team:b'] });
    await steward.openSession({ session_source_type: 'agent', session_source_id: 'größer' });
    const [secret, imported, opened] = sent();
    expect([secret?.method, secret?.path]).toEqual(['GET', '/api/v1/flow-secrets/a%2Fb%3Fc']);
    expect(secret?.headers).toMatchObject({ authorization: 'Bearer stw_key' });
    expect(imported?.path).toBe('/api/v1/runtime-sessions/import?format=codex&label=team%3Aa&label=team%3Ab');
    expect(imported?.body.toString()).toBe('{}');
    expect(opened?.headers['content-type']).toBe('application/json');
    expect(JSON.parse(opened?.body.toString() ?? '')).toEqual({
      session_source_type: 'agent',
      session_source_id: 'größer',
    });
  });

  it('calls a credential function for each request, and returns undefined for an empty response', async () => {
    let count = 0;
    const asking = new Steward({ baseUrl: service.url, token: () => Promise.resolve(`token-${(count += 1)}`) });
    answer = () => [204];
    expect(await asking.deleteFlow('one')).toBeUndefined();
    await asking.deleteFlow('two');
    expect(sent().map(({ headers }) => headers.authorization)).toEqual(['Bearer token-1', 'Bearer token-2']);
  });

  it('fails with the code, the field and the request id returned by the service', async () => {
    const detail = { code: 'invalid_request', message: '"name" is missing.', field: 'name' };
    answer = () => [422, { detail, request_id: 'r-7' }];
    const error = await refusal(steward.createRole({ name: 'a', permissions: [] }));
    expect([error.status, error.code, error.message, error.detail.field, error.requestId]).toEqual([
      422,
      'invalid_request',
      '"name" is missing.',
      'name',
      'r-7',
    ]);
    answer = () => [400, 'a page of a proxy'];
    expect((await refusal(steward.readMe())).code).toBe('unexpected_answer');
  });
});

describe('a call with a temporary failure', () => {
  const flaky = (failure: Answer | 'cut', last: Answer = [200, { id: 'one' }]) => {
    answer = (_request, index) => (index < 2 ? failure : last);
  };

  it.each<[string, Answer | 'cut']>([
    ['503', busy],
    ['502 of a proxy', [502, 'a page']],
    ['a connection that is cut', 'cut'],
  ])('is retried after %s if it only reads', async (_name, failure) => {
    flaky(failure);
    expect(await steward.readFlow('one')).toEqual({ id: 'one' });
    expect(sent()).toHaveLength(3);
  });

  it('is not retried if the request may have succeeded', async () => {
    flaky('cut');
    expect((await refusal(steward.createFlow({} as never))).code).toBe('unreachable');
    answer = () => busy;
    expect((await refusal(steward.createFlow({} as never))).status).toBe(503);
    expect(sent()).toHaveLength(2);
  });

  it('is retried after the requested time, regardless of its method', async () => {
    flaky([429, busy[1], { 'retry-after': '0' }]);
    await steward.createFlow({} as never);
    expect(sent()).toHaveLength(3);
    answer = () => [429, busy[1], { 'retry-after': '3600' }];
    expect((await refusal(steward.createFlow({} as never))).status).toBe(429);
    expect(sent()).toHaveLength(4);
  });

  it('starts a flow once: all attempts of a call have the same idempotency key, and every call has a different one', async () => {
    flaky('cut');
    await steward.triggerFlow('one', { sha: 'a' });
    const keys = sent().map(({ headers }) => headers['idempotency-key']);
    expect([keys.length, new Set(keys).size]).toEqual([3, 1]);
    answer = () => [202, {}];
    await steward.triggerFlow('one', { sha: 'a' });
    await steward.triggerFlow('one', { sha: 'a' }, { idempotencyKey: 'build-42' });
    const [own, given] = sent().slice(3);
    expect(own?.headers['idempotency-key']).not.toBe(keys[0]);
    expect(given?.headers['idempotency-key']).toBe('build-42');
  });

  it('fails after its last attempt, and immediately if it is cancelled', async () => {
    answer = () => busy;
    const patient = new Steward({ baseUrl: service.url, retries: 2, retryDelayMs: 1 });
    expect((await refusal(patient.readMe())).code).toBe('unavailable');
    expect(sent()).toHaveLength(3);
    const slow = new Steward({ baseUrl: service.url, retryDelayMs: 60_000 });
    const cancel = new AbortController();
    const call = slow.readMe({ signal: cancel.signal });
    await service.waitForRequests(seen + 4);
    cancel.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
  });

  it('fails with an error that names the unreachable service', async () => {
    const gone = await startHttpReceiver();
    await gone.close();
    const nobody = new Steward({ baseUrl: gone.url, retries: 1, retryDelayMs: 1 });
    const error = await refusal(nobody.createFlow({} as never));
    expect([error.code, error.status]).toEqual(['unreachable', 0]);
    expect(error.message).toContain('ECONNREFUSED');
  });
});

describe('a list', () => {
  const pages: Record<string, unknown> = {
    '': { items: [{ id: 1 }, { id: 2 }], next_cursor: 'b' },
    b: { items: [], next_cursor: 'c/=' },
    'c/=': { items: [{ id: 3 }], next_cursor: null },
  };
  const readPage = (request: ReceivedRequest): Answer => {
    const { searchParams } = new URL(request.path, service.url);
    return [200, pages[searchParams.get('cursor') ?? '']];
  };

  it('returns its first page if it is awaited, and all items if it is iterated', async () => {
    answer = readPage;
    const list = steward.listFlows({ limit: 2, query: 'shop' });
    expect((await list).items).toHaveLength(2);
    const ids: unknown[] = [];
    for await (const { id } of list) ids.push(id);
    expect(ids).toEqual([1, 2, 3]);
    expect(sent().map(({ path }) => path)).toEqual([
      '/api/v1/flows?limit=2&query=shop',
      '/api/v1/flows?limit=2&query=shop&cursor=b',
      '/api/v1/flows?limit=2&query=shop&cursor=c%2F%3D',
    ]);
  });

  it('reads only the pages that are needed', async () => {
    answer = readPage;
    for await (const _flow of steward.listFlows()) break;
    expect(sent()).toHaveLength(1);
    steward.listFlows();
    expect(sent()).toHaveLength(1);
  });

  it('reads search results page by page', async () => {
    answer = ({ body }) => {
      const { cursor } = JSON.parse(body.toString()) as { cursor?: string };
      return [200, { results: [{ score: cursor ?? 'first' }], next_cursor: cursor === undefined ? 'next' : null }];
    };
    const scores: unknown[] = [];
    for await (const { score } of steward.searchAll({ query: 'cart' })) scores.push(score);
    expect(scores).toEqual(['first', 'next']);
    expect(JSON.parse(sent()[1]?.body.toString() ?? '')).toEqual({ query: 'cart', cursor: 'next' });
  });
});

describe('waiting', () => {
  it('ends with the final state of an execution, even if the service restarts', async () => {
    const states = ['PENDING', 'cut', 'RUNNING', 'FAILED'];
    answer = (_request, index) => (states[index] === 'cut' ? 'cut' : [200, { id: 'one', status: states[index] }]);
    expect((await steward.waitForExecution('one')).status).toBe('FAILED');
    expect(sent()[0]?.path).toBe('/api/v1/flows/executions/one?wait=30');
    expect(sent()).toHaveLength(4);
  });

  it('ends with the decision on an approval request', async () => {
    answer = (_request, index) => [200, { status: index === 0 ? 'pending' : 'declined' }];
    expect((await steward.waitForApproval('one')).status).toBe('declined');
  });

  it('fails at the time limit', async () => {
    answer = () => [200, { status: 'pending' }];
    expect((await refusal(steward.waitForApproval('one', { withinMs: 5 }))).code).toBe('wait_timeout');
  });

  it('ends when the content has vectors, and immediately if embedding is off', async () => {
    const setting = (enabled: boolean, pending: number, embedded_through: string | null, isPossible = true) => ({
      enabled,
      deployment_embedding_enabled: isPossible,
      corpus: { pending, embedded_through },
    });
    const steps = [
      setting(true, 3, null),
      setting(true, 2, '2026-11-20T08:59:59Z'),
      setting(true, 1, '2026-11-20T09:00:00Z'),
    ];
    answer = (_request, index) => [200, steps[index]];
    expect(await steward.waitForIndexing('2026-11-20T09:00:00Z')).toBe(true);
    expect(sent()).toHaveLength(3);
    answer = () => [200, setting(false, 3, null)];
    expect(await steward.waitForIndexing()).toBe(false);
    answer = () => [200, setting(true, 3, null, false)];
    expect(await steward.waitForIndexing()).toBe(false);
  });
});
