import { readFileSync } from 'node:fs';
import { SOURCE_NAMES, type SourceName } from '@steward/flows';
import { useFlows } from '../../../../testing/flow-tests.ts';
import { createSigner, type SourceCase } from '../../../../testing/sign-source.ts';

const { admin, countExecutions, createHook, gateway, token } = useFlows();
const { secretOf, sign } = createSigner();

/** Sources recognized by their headers. */
const RECOGNISED: readonly SourceName[] = ['github', 'gitlab', 'bitbucket', 'gitea', 'linear', 'slack', 'sns'];

const folder = new URL('../../../../testing/sources/', import.meta.url);
const readCases = (source: SourceName) =>
  JSON.parse(readFileSync(new URL(`${source}.json`, folder), 'utf8')) as SourceCase[];
const cases = SOURCE_NAMES.flatMap((source) => readCases(source).map((one) => ({ source, one })));

const hooks = new Map<SourceName, Promise<Awaited<ReturnType<typeof createHook>>>>();
/** Returns the flow of a source, which receives all its requests. */
function hookOf(source: SourceName) {
  const signing = source === 'generic' ? {} : { signing_secrets: ['an older secret', secretOf(source)] };
  const older = source === 'sns' || source === 'standard_webhooks' ? { signing_secrets: [secretOf(source)] } : {};
  const hook = hooks.get(source) ?? createHook({ webhook_config: { source, ...signing, ...older } });
  hooks.set(source, hook);
  return hook;
}

const toldOf = async (executionId: string) => {
  const { body } = await gateway().call('GET', `/api/v1/flows/executions/${executionId}`, { token: token() });
  return body.trigger_event_details as { source: Record<string, unknown>; payload: Record<string, unknown> };
};
const countArrivals = async (flowId: string) =>
  (await admin().query('select 1 from flows.arrival where flow_id = $1', [flowId])).rows.length;

describe('the test requests of the twelve sources', () => {
  it('number at least sixty', () => expect(cases.length).toBeGreaterThanOrEqual(60));

  it.each(cases.map(({ source, one }) => [source, one.title, one] as const))(
    'from %s: %s (FLOW-51, FLOW-52, FLOW-53)',
    async (source, _title, one) => {
      const hook = await hookOf(source);
      const request = sign(source, one);
      const { status, body } = await gateway().call('POST', hook.url, request);
      if (one.outcome === 'challenge') {
        expect([status, body]).toEqual([200, { challenge: one.body.challenge }]);
        return;
      }
      expect(status).toBe(202);
      if (one.outcome === 'ignored') {
        expect(body).toEqual({
          status: 'ignored',
          flow_id: hook.id,
          reason: expect.any(String),
          event: expect.any(String),
          arrival_id: expect.any(String),
        });
        return;
      }
      expect(body.deduplicated).toBe(one.outcome === 'deduplicated');
      if (one.told !== undefined) {
        const { source: told } = await toldOf(body.execution_id as string);
        expect(told).toMatchObject({ name: source, ...one.told });
        expect(Object.keys(told.headers as object).filter((name) => /token|signature|auth/.test(name))).toEqual([]);
      }
      const again = sign(source, { ...one, headers: { ...one.headers, ...one.again } });
      const repeated = await gateway().call('POST', hook.url, again);
      expect([repeated.status, repeated.body.deduplicated]).toEqual([202, one.repeats !== false]);
    },
  );

  it.each(
    cases
      .filter(({ source }) => RECOGNISED.includes(source))
      .map(({ source, one }) => [source, one.title, one] as const),
  )('from %s are also recognized by a flow that names no source: %s (FLOW-58)', async (source, _title, one) => {
    const hook = await createHook({ webhook_config: {} });
    const { status, body } = await gateway().call('POST', hook.url, sign(source, one));
    if (one.outcome === 'challenge') expect([status, body]).toEqual([200, { challenge: one.body.challenge }]);
    else if (one.outcome === 'ignored') expect([status, body.status]).toEqual([202, 'ignored']);
    else expect((await toldOf(body.execution_id as string)).source).toMatchObject({ name: source, ...one.told });
  });

  it.each([
    ['Idempotency-Key', { 'x-github-event': 'push', 'idempotency-key': 'k-1' }],
    [
      'Idempotency-Key before its own id',
      { 'x-gitea-event': 'push', 'x-gitea-delivery': 'd', 'idempotency-key': 'k-2' },
    ],
    ['X-GitHub-Delivery', { 'x-github-event': 'push', 'x-github-delivery': 'k-3' }],
  ])('to a flow without a source are deduplicated like others: %s (FLOW-26, FLOW-27)', async (_name, headers) => {
    const hook = await createHook({ webhook_config: {} });
    const send = (body: object) => gateway().call('POST', hook.url, { body, headers });
    const first = await send({ ref: 'a' });
    const again = await send({ ref: 'a' });
    expect([first.status, again.status, again.body.deduplicated]).toEqual([202, 202, true]);
    expect(again.body.execution_id).toBe(first.body.execution_id);
    const other = await send({ ref: 'b' });
    expect([other.status, other.body.detail.code]).toEqual([409, 'idempotency_key_reused']);
  });

  it.each(
    cases.filter(({ source }) => source !== 'generic').map(({ source, one }) => [source, one.title, one] as const),
  )('from %s with a changed body are refused with 401 and store nothing: %s (FLOW-51)', async (source, _title, one) => {
    const hook = await createHook({ webhook_config: { source, signing_secrets: [secretOf(source)] } });
    const { body, headers } = sign(source, one);
    const unsigned = Object.entries(headers).filter(([name]) => !/token|signature|authorization/.test(name));
    const isOfBody = !['gitlab', 'cloudevents'].includes(source);
    const attempts = [
      {
        body: source === 'sns' ? body.replace('"Signature"', '"signature"') : body,
        headers: Object.fromEntries(unsigned),
      },
      ...(isOfBody ? [{ body: source === 'sns' ? body.replace(/[0-9]/, 'x') : `${body} `, headers }] : []),
    ];
    for (const attempt of attempts) {
      const answer = await gateway().call('POST', hook.url, attempt);
      expect([answer.status, answer.body.detail.code]).toEqual([401, 'invalid_signature']);
    }
    expect([await countExecutions(hook.id), await countArrivals(hook.id)]).toEqual([0, 0]);
  });
});
