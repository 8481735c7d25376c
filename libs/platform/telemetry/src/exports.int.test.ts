import { PassThrough } from 'node:stream';
import { beginTrace, continueTrace, readTraceId, setTraceSampling } from '@steward/crypto';
import { decodeTraces, readSpans } from '@steward/otlp';
import {
  createLogger,
  createMetrics,
  loadSettings,
  setting,
  telemetrySettings,
  type Component,
} from '@steward/process';
import { startHttpReceiver, type HttpReceiver } from '@steward/testing';

import { drawHop, inSpan, isTracing, openSpan, startTelemetry, withinSpan, type TelemetrySettings } from './index.ts';

const shape = {
  ...telemetrySettings,
  telemetryDisabled: setting.boolean('SERVICE_DISABLE_TELEMETRY', { default: false, description: 'x' }),
} as const;
const readSettings = (environment: Record<string, string>): TelemetrySettings => loadSettings(shape, environment);

describe('the export of traces and metrics (PROC-16)', () => {
  let receiver: HttpReceiver;
  let components: readonly Component[] = [];
  let lines = '';
  const stream = new PassThrough();
  stream.on('data', (data: Buffer) => (lines += data.toString()));
  const metrics = createMetrics('tested');

  beforeEach(async () => {
    receiver = await startHttpReceiver();
    lines = '';
  });
  afterEach(async () => {
    await stop();
    await receiver.close();
  });

  async function stop(): Promise<void> {
    for (const component of components) await component.stop?.();
    components = [];
  }

  async function start(environment: Record<string, string> = {}): Promise<void> {
    const settings = readSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, ...environment });
    const logger = createLogger({ service: 'tested', level: 'info', pretty: false, stream });
    components = await startTelemetry({ service: 'tested', settings, metrics, logger });
  }

  /** Stops the export, which sends the spans that are still waiting, and returns the spans of all requests. */
  async function stopAndRead() {
    await stop();
    const raw = receiver.requests
      .filter(({ path }) => path === '/v1/traces')
      .flatMap(({ body }) => [...decodeTraces(body, 1_000_000)]);
    return readSpans(raw).spans;
  }

  it.each<[string, Record<string, string>]>([
    ['no endpoint', { OTEL_EXPORTER_OTLP_ENDPOINT: '' }],
    ['an SDK that is disabled', { OTEL_SDK_DISABLED: 'true' }],
    ['telemetry that is disabled', { SERVICE_DISABLE_TELEMETRY: 'true' }],
    ['no exporter', { OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none' }],
  ])('is disabled with %s: no span, no context, no request', async (_what, environment) => {
    await start(environment);
    expect(isTracing()).toBe(false);
    expect(openSpan({ name: 'a', kind: 'internal', beginsTrace: true })).toBeUndefined();
    expect(await stopAndRead()).toEqual([]);
    expect(receiver.requests).toEqual([]);
  });

  it('retains the ids of rows and messages, and orders work after what caused it', async () => {
    await start({
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test%20bed',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20canary',
    });
    const request = beginTrace();
    const row = await inSpan({ name: 'request', kind: 'server', traceparent: request, parent: null }, async () => {
      withinSpan(openSpan({ name: 'statement', kind: 'client' }), () => undefined);
      openSpan({ name: 'statement', kind: 'client', attributes: { rows: 1, left: undefined } })?.end();
      return Promise.resolve(drawHop(request, { name: 'row', kind: 'producer' }));
    });
    await expect(
      inSpan({ name: 'run', kind: 'consumer', parent: row }, () => Promise.reject(new TypeError('a canary'))),
    ).rejects.toThrow('a canary');
    const spans = await stopAndRead();
    const idOf = (traceparent: string) => traceparent.slice(36, 52);
    expect(spans.map(({ name, parentSpanId }) => [name, parentSpanId])).toEqual([
      ['statement', idOf(request)],
      ['row', idOf(request)],
      ['request', undefined],
      ['run', idOf(row)],
    ]);
    expect(spans.map(({ traceId }) => traceId)).toEqual(spans.map(() => readTraceId(request)));
    expect(spans.map(({ spanId }) => spanId)).toEqual(expect.arrayContaining([idOf(request), idOf(row)]));
    expect(spans[3]).toMatchObject({ isError: true, statusMessage: '', attributes: { 'error.type': 'TypeError' } });
    expect(spans[0]?.resource).toMatchObject({
      'service.name': 'tested',
      'service.namespace': 'steward',
      'deployment.environment.name': 'test bed',
    });
    expect(receiver.requests[0]?.headers.authorization).toBe('Bearer canary');
    expect(receiver.requests.map(({ body }) => body.toString('latin1')).join('')).not.toContain('canary');
  });

  it('does not use a span of another trace as parent', async () => {
    await start();
    openSpan({ name: 'replayed', kind: 'producer', traceparent: beginTrace(), parent: beginTrace() })?.end();
    expect(await stopAndRead()).toMatchObject([{ name: 'replayed', parentSpanId: undefined }]);
  });

  const SENDERS = { none: undefined, sampled: '01', unsampled: '00' } as const;
  it.each<[string, Record<keyof typeof SENDERS, boolean>]>([
    ['parentbased_always_on', { none: true, sampled: true, unsampled: false }],
    ['parentbased_always_off', { none: false, sampled: true, unsampled: false }],
    ['always_on', { none: true, sampled: true, unsampled: true }],
    ['always_off', { none: false, sampled: false, unsampled: false }],
    ['traceidratio', { none: false, sampled: false, unsampled: false }],
    ['parentbased_traceidratio', { none: false, sampled: true, unsampled: false }],
  ])('decides once per trace with %s, in its flag', async (sampler, expected) => {
    await start({ OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: '0' });
    const entries = Object.entries(SENDERS).map(([sender, flags]) => {
      const traceparent = continueTrace(flags && `${beginTrace().slice(0, -2)}${flags}`);
      openSpan({ name: sender, kind: 'server', traceparent, parent: null })?.end();
      return [sender, traceparent.endsWith('01')];
    });
    expect(Object.fromEntries(entries)).toEqual(expected);
    const recorded = (await stopAndRead()).map(({ name }) => name);
    expect(recorded).toEqual(Object.entries(expected).flatMap(([name, isRecorded]) => (isRecorded ? [name] : [])));
  });

  it('follows the sampling decision of the sender again after it was stopped', async () => {
    await start({ OTEL_TRACES_SAMPLER: 'always_off' });
    expect(beginTrace()).toMatch(/-00$/);
    await stop();
    expect(beginTrace()).toMatch(/-01$/);
    setTraceSampling(undefined);
  });

  it('sends the metrics of /metrics under their names', async () => {
    const histogram = metrics.histogram('tested_duration_seconds', 'How long.', ['route'], [0.1, 1]);
    metrics.counter('tested_total', 'How many.', ['kind']).inc({ kind: 'a' }, 2);
    for (const seconds of [0.05, 0.5, 5]) histogram.observe({ route: '/x' }, seconds);
    await start({ OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json', OTEL_TRACES_EXPORTER: 'none' });
    await stop();
    const [sent] = receiver.requests;
    expect(sent?.path).toBe('/v1/metrics');
    const read = JSON.parse(String(sent?.body)) as {
      resourceMetrics: { scopeMetrics: { metrics: ({ name: string } & Record<string, unknown>)[] }[] }[];
    };
    const listed = read.resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
    const find = (name: string) => listed.find((metric) => metric.name === name);
    expect(find('tested_total')).toMatchObject({
      description: 'How many.',
      sum: { isMonotonic: true, aggregationTemporality: 2, dataPoints: [{ asDouble: 2 }] },
    });
    expect(find('tested_duration_seconds')).toMatchObject({
      unit: 's',
      histogram: { dataPoints: [{ count: 3, sum: 5.55, explicitBounds: [0.1, 1], bucketCounts: [1, 1, 1] }] },
    });
    expect(find('process_resident_memory_bytes')).toMatchObject({ unit: 'By', gauge: { dataPoints: [{}] } });
  });

  it('logs a refusal by the collector, and continues', async () => {
    receiver.respondWith((_request, response) => void response.writeHead(401).end('no'));
    await start({ OTEL_METRICS_EXPORTER: 'none' });
    openSpan({ name: 'a', kind: 'internal', beginsTrace: true })?.end();
    openSpan({ name: 'b', kind: 'internal', beginsTrace: true })?.end();
    await stop();
    expect(lines.split('\n').filter((line) => line.includes('telemetry.export_failed'))).toHaveLength(1);
  });

  it.each(['name', 'name=%E0%A4%A', '=value'])('refuses malformed headers: %s', async (text) => {
    await expect(start({ OTEL_EXPORTER_OTLP_HEADERS: text })).rejects.toThrow(/OTEL_EXPORTER_OTLP_HEADERS must have/);
    expect(isTracing()).toBe(false);
  });

  it.each(['grpc://collector:4317', 'http://user:secret@collector:4318', 'collector'])(
    'refuses an invalid endpoint: %s',
    (url) => {
      expect(() => readSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: url })).toThrow(/OTEL_EXPORTER_OTLP_ENDPOINT/);
    },
  );
});
