import { setting } from './setting-kinds.ts';
import type { Setting } from './settings.ts';

function endpoint(variable: string, description: string): Setting<string | undefined> {
  const parse = (text: string): string => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
      throw new Error('must be a URL starting with https:// or http://, without credentials');
    return text;
  };
  return { ...setting.text(variable, { description }), parse };
}

const SAMPLERS = [
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
  'always_on',
  'always_off',
  'traceidratio',
] as const;

/**
 * Settings from the standard variables of OpenTelemetry that every process reads: nothing is exported while no endpoint
 * is set.
 */
export const telemetrySettings = {
  otelEndpoint: endpoint(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'OTLP/HTTP collector that receives traces and metrics, for example http://collector:4318. Default: nothing is exported.',
  ),
  otelTracesEndpoint: endpoint(
    'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    'Whole URL for traces, instead of OTEL_EXPORTER_OTLP_ENDPOINT with /v1/traces.',
  ),
  otelMetricsEndpoint: endpoint(
    'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT',
    'Whole URL for metrics, instead of OTEL_EXPORTER_OTLP_ENDPOINT with /v1/metrics.',
  ),
  otelHeaders: setting.maskedText('OTEL_EXPORTER_OTLP_HEADERS', {
    mayBeEmpty: true,
    description: 'Headers of each export, as name=value pairs separated by commas; values are percent-encoded.',
  }),
  otelProtocol: setting.choice('OTEL_EXPORTER_OTLP_PROTOCOL', ['http/protobuf', 'http/json'], {
    default: 'http/protobuf',
    description: 'Encoding of exports.',
  }),
  otelCompression: setting.choice('OTEL_EXPORTER_OTLP_COMPRESSION', ['none', 'gzip'], {
    default: 'none',
    description: 'Compression of exports.',
  }),
  otelTimeoutMs: setting.integer('OTEL_EXPORTER_OTLP_TIMEOUT', {
    default: 10_000,
    min: 100,
    max: 300_000,
    unit: 'milliseconds',
    description: 'How long one export may take.',
  }),
  otelTracesExporter: setting.choice('OTEL_TRACES_EXPORTER', ['otlp', 'none'], {
    default: 'otlp',
    description: 'Whether traces are exported.',
  }),
  otelMetricsExporter: setting.choice('OTEL_METRICS_EXPORTER', ['otlp', 'none'], {
    default: 'otlp',
    description: 'Whether metrics are exported; /metrics contains them in any case.',
  }),
  otelSampler: setting.choice('OTEL_TRACES_SAMPLER', SAMPLERS, {
    default: 'parentbased_always_on',
    description: 'Which traces are recorded: parentbased samplers follow the decision of the sender of a request.',
  }),
  otelSamplerRatio: setting.number('OTEL_TRACES_SAMPLER_ARG', {
    default: 1,
    min: 0,
    max: 1,
    description: 'Share of the traces that a traceidratio sampler records.',
  }),
  otelServiceName: setting.text('OTEL_SERVICE_NAME', {
    description: 'Name of this process in traces and metrics. Default: the name of the app.',
  }),
  otelResourceAttributes: setting.text('OTEL_RESOURCE_ATTRIBUTES', {
    description: 'Attributes of every span and metric, as name=value pairs separated by commas.',
  }),
  otelMetricIntervalMs: setting.integer('OTEL_METRIC_EXPORT_INTERVAL', {
    default: 60_000,
    min: 1000,
    max: 3_600_000,
    unit: 'milliseconds',
    description: 'Time between two exports of metrics.',
  }),
  otelSpanDelayMs: setting.integer('OTEL_BSP_SCHEDULE_DELAY', {
    default: 5000,
    min: 10,
    max: 300_000,
    unit: 'milliseconds',
    description: 'Time between two exports of spans.',
  }),
  otelSpanQueueSize: setting.integer('OTEL_BSP_MAX_QUEUE_SIZE', {
    default: 2048,
    min: 1,
    max: 1_000_000,
    unit: 'spans',
    description: 'Number of spans that may wait to be exported; further ones are dropped.',
  }),
  otelDisabled: setting.boolean('OTEL_SDK_DISABLED', {
    default: false,
    description: 'Exports nothing even if an endpoint is set.',
  }),
} as const;
