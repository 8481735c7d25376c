import { randomUUID } from 'node:crypto';
import { CompressionAlgorithm } from '@opentelemetry/otlp-exporter-base';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider, type SpanExporter } from '@opentelemetry/sdk-trace';
import { TIMEOUT_MS } from '@steward/testing';
import { useTraces } from '../../testing/trace-tests.ts';

const { gateway, createKey, findSession, readTimeline, call } = useTraces();

type MakeExporter = (options: {
  url: string;
  headers: Record<string, string>;
  compression: CompressionAlgorithm;
  timeoutMillis: number;
}) => SpanExporter;

const EXPORTERS: readonly (readonly [string, CompressionAlgorithm, MakeExporter])[] = [
  ['protobuf', CompressionAlgorithm.NONE, (options) => new ProtobufExporter(options)],
  ['compressed protobuf', CompressionAlgorithm.GZIP, (options) => new ProtobufExporter(options)],
  ['JSON', CompressionAlgorithm.NONE, (options) => new JsonExporter(options)],
  ['packed JSON', CompressionAlgorithm.GZIP, (options) => new JsonExporter(options)],
];

describe('the official exporter of OpenTelemetry', () => {
  it.each(EXPORTERS)(
    'exports the run of an agent as %s, which can be found by the next search (OTLP-1)',
    async (_, compression, make) => {
      const [conversation, word] = [randomUUID(), `w${randomUUID().replaceAll('-', '')}`];
      const exporter = make({
        url: `${gateway().url}/otlp/v1/traces`,
        headers: { authorization: `Bearer ${await createKey()}` },
        compression,
        timeoutMillis: TIMEOUT_MS,
      });
      const provider = new TracerProvider({
        resource: resourceFromAttributes({ 'service.name': 'shop', 'vcs.ref.head.name': 'main' }),
        spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: TIMEOUT_MS })],
      });
      const tracer = provider.getTracer('tests');
      const startTime = new Date('2026-11-01T08:00:00.250Z');
      const record = (name: string, attributes: Record<string, string | number>): void =>
        tracer
          .startSpan(name, { startTime, attributes: { 'gen_ai.conversation.id': conversation, ...attributes } })
          .end();
      record('chat gpt-5', {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'openai',
        'gen_ai.request.model': 'gpt-5',
        'gen_ai.agent.name': 'planner',
        'gen_ai.input.messages': JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: `Find ${word}` }] }]),
        'gen_ai.usage.input_tokens': 12,
        'gen_ai.usage.output_tokens': 3,
      });
      record('execute_tool weather', {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'weather',
        'gen_ai.tool.call.arguments': '{"city":"Brno"}',
        'gen_ai.tool.call.result': '{"sky":"rain"}',
      });
      tracer.startSpan('GET /health').end();
      await provider.shutdown();

      const session = await findSession(conversation);
      expect(session).toMatchObject({
        session_source_type: 'otlp',
        started_at: '2026-11-01T08:00:00.250Z',
        runtime_principal_type: 'agent',
        runtime_principal_name: 'planner',
        title: `Find ${word}`,
      });
      expect(session.labels).toEqual(
        expect.arrayContaining(['service:shop', 'branch:main', 'model:gpt-5', 'agent:planner']),
      );
      expect(await readTimeline(session.id)).toMatchObject([
        {
          kind: 'gateway_interaction',
          model_alias: 'gpt-5',
          provider_name: 'openai',
          input_tokens: 12,
          output_tokens: 3,
          content: { request: { messages: [{ role: 'user', content: `Find ${word}` }] } },
        },
        { kind: 'tool_call', tool_name: 'weather', content: { arguments: { city: 'Brno' }, result: { sky: 'rain' } } },
      ]);
      const found = await call('POST', '/search', { query: word });
      expect(found.body.results).toMatchObject([{ runtime_session_id: session.id }]);
    },
  );

  it('reports an authentication error for a wrong key', async () => {
    const exporter = new ProtobufExporter({
      url: `${gateway().url}/otlp/v1/traces`,
      headers: { authorization: 'Bearer nobody' },
      timeoutMillis: TIMEOUT_MS,
    });
    const provider = new TracerProvider();
    const result = await new Promise<{ code: number; error?: Error }>((resolve) => {
      provider.getTracer('tests').startSpan('a').end();
      exporter.export([], resolve);
    });
    expect(result).toMatchObject({ code: 1, error: { message: expect.stringMatching(/401|Unauthorized/) as string } });
    await exporter.shutdown();
  });
});
