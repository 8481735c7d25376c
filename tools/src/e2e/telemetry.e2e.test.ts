import { randomUUID } from 'node:crypto';
import { decodeTraces, readSpans, type OtlpSpan } from '@steward/otlp';
import { startFakeProvider, type FakeProvider } from '@steward/fake-provider';
import { eventually, releaseAfterAll, startHttpReceiver, type HttpReceiver } from '@steward/testing';
import type { Api } from '../demo/api.ts';
import { createHook, type Hook } from './create-hook.ts';
import { registerOwner } from './register-owner.ts';
import { startSuite, type Suite } from './start-suite.ts';
import { START_TIMEOUT_MS } from './suite-apps.ts';

const SENDER_SPAN = 'b7ad6b7169203331';
const CREDENTIAL = `ghp_${'a1B2c3D4'.repeat(5)}`.slice(0, 40);

describe('the spans of a suite that exports them (PROC-16)', () => {
  const release = releaseAfterAll();
  let suite: Suite;
  let collector: HttpReceiver;
  let receiver: HttpReceiver;
  let provider: FakeProvider;
  let api: Api;
  let hook: Hook;
  let key: string;

  beforeAll(async () => {
    collector = await startHttpReceiver();
    release(() => collector.close());
    receiver = await startHttpReceiver();
    release(() => receiver.close());
    provider = await startFakeProvider();
    release(() => provider.close());
    suite = await startSuite({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: '100',
      OTEL_METRIC_EXPORT_INTERVAL: '1000',
      MODEL_GATEWAY_ALLOW_INSECURE_BASE_URLS: provider.origin,
    });
    release(suite.stop);
    ({ api } = await registerOwner(suite.api, 'traced'));
    await api.call('POST', '/api/v1/event-webhooks/endpoints', {
      body: { url: `${receiver.url}/canary-of-an-address`, event_types: ['flow.execution.finished'] },
    });
    hook = await createHook(api, { name: 'traced', prompt: 'x', command: 'echo canary-of-output' });
    await api.call('POST', '/api/v1/ai-models', {
      body: { alias: 'large', provider: 'openai', base_url: provider.origin, model_identifier: 'fake-large' },
    });
    key = String((await api.call('POST', '/api/v1/auth/api-keys', { body: { name: 'agent' } })).body.key);
  }, START_TIMEOUT_MS);

  const listSpans = (traceId: string): OtlpSpan[] => {
    const raw = collector.requests
      .filter(({ path }) => path === '/v1/traces')
      .flatMap(({ body }) => [...decodeTraces(body, 10_000_000)]);
    return readSpans(raw, (span) => span.traceId === traceId).spans as OtlpSpan[];
  };
  /** Waits until a trace has spans of all these names. */
  const awaitSpans = (traceId: string, names: readonly string[]): Promise<OtlpSpan[]> =>
    eventually(() => {
      const spans = listSpans(traceId);
      const missing = names.filter((name) => !spans.some((span) => span.name === name));
      if (missing.length > 0)
        throw new Error(`missing: ${missing.join()}; there are ${spans.map(({ name }) => name).join()}`);
      return spans;
    });
  const beginSent = () => {
    const traceId = randomUUID().replaceAll('-', '');
    return { traceId, headers: { traceparent: `00-${traceId}-${SENDER_SPAN}-01` } };
  };
  /** Returns the names from a span up to the first one, whose parent is the span of the sender. */
  const listAncestors = (spans: readonly OtlpSpan[], name: string): string[] => {
    const found: string[] = [];
    let span = spans.find((one) => one.name === name);
    while (span !== undefined) {
      const { spanId, parentSpanId } = span;
      found.push(span.name);
      if (parentSpanId === SENDER_SPAN) return [...found, '(sender)'];
      span = spans.find((one) => one.spanId === parentSpanId && one.spanId !== spanId);
    }
    return found;
  };
  const serviceOf = (spans: readonly OtlpSpan[], name: string) =>
    spans.find((span) => span.name === name)?.resource['service.name'];

  it('form one trace from the request of a sender through the flow and its event to the receiver', async () => {
    const { traceId, headers } = beginSent();
    const accepted = await suite.api.call('POST', hook.path, { body: { note: 'canary-of-a-body' }, headers });
    expect(accepted.status).toBe(202);
    const spans = await awaitSpans(traceId, [
      'POST /webhooks/flows/{flow_id}/{webhook_secret}',
      'process trigger-accepted',
      'run flow',
      'process event-emitted',
      'POST',
      'deliver event',
    ]);
    const request = 'POST /webhooks/flows/{flow_id}/{webhook_secret}';
    expect(listAncestors(spans, 'process trigger-accepted')).toEqual([
      ...['process trigger-accepted', 'send trigger-accepted', request, '(sender)'],
    ]);
    expect(listAncestors(spans, 'POST')).toEqual([
      ...['POST', 'deliver event', 'create event', 'create execution', request, '(sender)'],
    ]);
    expect(listAncestors(spans, 'run flow')).toEqual(['run flow', 'create execution', request, '(sender)']);
    expect(listAncestors(spans, 'process event-emitted')).toContain('create execution');
    expect(
      [request, 'run flow', 'process trigger-accepted', 'POST', 'process event-emitted'].map((name) =>
        serviceOf(spans, name),
      ),
    ).toEqual(['api-gateway', 'flow-trigger', 'flow-trigger', 'webhook-dispatcher', 'webhook-dispatcher']);
    const delivery = spans.find(({ name }) => name === 'deliver event');
    const received = receiver.requests.find(({ headers: sent }) => sent.traceparent?.includes(traceId));
    expect(received?.headers.traceparent).toBe(`00-${traceId}-${delivery?.spanId ?? ''}-01`);
  });

  it('name the operation and table of each statement once, under its request', async () => {
    const { traceId, headers } = beginSent();
    await api.call('POST', '/api/v1/runtime-sessions', {
      body: { session_source_type: 'traced', session_source_id: randomUUID(), title: 'canary-of-a-title' },
      headers,
    });
    const spans = await awaitSpans(traceId, ['POST /api/v1/runtime-sessions', 'COMMIT', 'process chunk-written']);
    expect(listAncestors(spans, 'process chunk-written')).toEqual([
      ...['process chunk-written', 'send chunk-written', 'POST /api/v1/runtime-sessions', '(sender)'],
    ]);
    expect(listAncestors(spans, 'COMMIT')).toEqual(['COMMIT', 'POST /api/v1/runtime-sessions', '(sender)']);
    expect(serviceOf(spans, 'process chunk-written')).toBe('search-indexer');
    expect(spans.map(({ name }) => name)).toContain('INSERT gateway.runtime_session');
    const statements = spans.filter(({ attributes }) => attributes['db.system.name'] === 'postgresql');
    for (const { attributes } of statements) expect(Object.keys(attributes).join()).not.toContain('text');
  });

  const post = (path: string, headers: Record<string, string>, body: object) =>
    fetch(suite.url + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        ...headers,
      },
      body: JSON.stringify(body),
    });

  it('contain the model of a call with its tokens, and the tool of a tool call, according to the GenAI conventions', async () => {
    const { traceId, headers } = beginSent();
    provider.behave({ text: 'canary-of-an-answer' });
    const messages = [{ role: 'user', content: `canary-of-a-prompt ${CREDENTIAL}` }];
    const asked = await post('/openai/v1/chat/completions', headers, { model: 'large', messages });
    expect([asked.status, await asked.text()]).toEqual([200, expect.stringContaining('canary-of-an-answer')]);
    const params = { name: 'search_sessions', arguments: { query: 'canary-of-a-query' } };
    const called = await post('/mcp/v1', headers, { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    expect([called.status, await called.text()]).toEqual([200, expect.stringContaining('result')]);
    const spans = await awaitSpans(traceId, ['chat large', 'execute_tool search_sessions']);
    const find = (name: string) => spans.find((span) => span.name === name);
    expect(find('chat large')?.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'large',
      'gen_ai.usage.input_tokens': expect.any(Number) as number,
      'gen_ai.usage.output_tokens': expect.any(Number) as number,
    });
    expect(listAncestors(spans, 'chat large')).toEqual([
      ...['chat large', 'POST /openai/v1/chat/completions', '(sender)'],
    ]);
    expect(find('execute_tool search_sessions')?.attributes).toMatchObject({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'search_sessions',
    });
  });

  it('are exported together with the metrics of every app; neither contains content, a credential or an address', async () => {
    const apps = ['api-gateway', 'search-indexer', 'webhook-dispatcher', 'flow-trigger', 'backfill-sweeper'];
    const sent = await eventually(() => {
      const bodies = collector.requests.filter(({ path }) => path === '/v1/metrics').map(({ body }) => String(body));
      return apps.every((app) => bodies.some((body) => body.includes(app))) ? bodies.join('') : undefined;
    });
    expect(sent).toContain('steward_http_request_duration_seconds');
    const everything = collector.requests.map(({ body }) => body.toString('latin1')).join('');
    const secrets = Object.values(suite.secrets).filter((secret) => secret.length > 8);
    const found = ['canary', CREDENTIAL, hook.secret, key, receiver.url, provider.origin, ...secrets];
    expect(found.filter((text) => everything.includes(text))).toEqual([]);
  });
});
