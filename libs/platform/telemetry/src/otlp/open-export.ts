import { randomUUID } from 'node:crypto';
import { OTLPMetricExporter as JsonMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPMetricExporter as ProtobufMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter as JsonTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { CompressionAlgorithm } from '@opentelemetry/otlp-exporter-base';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { AlwaysOnSampler, BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { endsWithin } from '@steward/async';
import { setTraceSampling } from '@steward/crypto';
import { VERSION, type Component } from '@steward/process';
import type { ExportPlan, TelemetrySettings } from '../plan-export.ts';
import { setRecorder } from '../span.ts';
import type { TelemetryOptions } from '../start-telemetry.ts';
import { createMetricsReading } from './read-metrics.ts';
import { createRecorder, DrawnIds } from './recorder.ts';
import { reportFailures } from './report-failures.ts';
import { createSampling } from './sampler.ts';

/** Time limit in milliseconds for stopping: an unavailable collector must not delay the exit of the process. */
const STOP_MS = 3000;
const MAX_BATCH = 512;

type Resource = ReturnType<typeof resourceFromAttributes>;

/** Starts the exports of a plan. The returned component flushes and closes them when it stops. */
export function openExport(plan: ExportPlan, options: TelemetryOptions): Component {
  const { service, settings } = options;
  const resource = resourceFromAttributes({
    'service.namespace': 'steward',
    'service.version': VERSION,
    'service.instance.id': randomUUID(),
    ...plan.resource,
    'service.name': settings.otelServiceName ?? plan.resource['service.name'] ?? service,
  });
  const providers = [openTraces(plan, options, resource), openMetrics(plan, options, resource)];
  return {
    name: 'telemetry',
    async stop() {
      setRecorder(undefined);
      setTraceSampling(undefined);
      await endsWithin(Promise.all(providers.map((provider) => provider?.shutdown().catch(() => undefined))), STOP_MS);
    },
  };
}

function openTraces(
  { tracesUrl: url, headers }: ExportPlan,
  { settings, logger }: TelemetryOptions,
  resource: Resource,
) {
  if (url === undefined) return undefined;
  const config = describeExport(url, headers, settings);
  const exporter =
    settings.otelProtocol === 'http/json' ? new JsonTraceExporter(config) : new ProtobufTraceExporter(config);
  const ids = new DrawnIds();
  const provider = new TracerProvider({
    resource,
    idGenerator: ids,
    // The sampler accepts all spans: those of traces that are not sampled are never started.
    sampler: new AlwaysOnSampler(),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: reportFailures('traces', exporter, logger),
        scheduledDelayMillis: settings.otelSpanDelayMs,
        maxQueueSize: settings.otelSpanQueueSize,
        maxExportBatchSize: Math.min(MAX_BATCH, settings.otelSpanQueueSize),
        exportTimeoutMillis: settings.otelTimeoutMs,
      }),
    ],
  });
  setTraceSampling(createSampling(settings));
  setRecorder(createRecorder(provider.getTracer('steward', VERSION), ids));
  return provider;
}

function openMetrics(
  { metricsUrl: url, headers }: ExportPlan,
  { settings, metrics, logger }: TelemetryOptions,
  resource: Resource,
) {
  if (url === undefined) return undefined;
  const config = describeExport(url, headers, settings);
  const exporter =
    settings.otelProtocol === 'http/json' ? new JsonMetricExporter(config) : new ProtobufMetricExporter(config);
  const reader = new PeriodicExportingMetricReader({
    exporter: reportFailures('metrics', exporter, logger),
    exportIntervalMillis: settings.otelMetricIntervalMs,
    exportTimeoutMillis: Math.min(settings.otelTimeoutMs, settings.otelMetricIntervalMs),
    metricProducers: [createMetricsReading(metrics, Date.now() - process.uptime() * 1000)],
  });
  return new MeterProvider({ resource, readers: [reader] });
}

function describeExport(url: string, headers: ExportPlan['headers'], settings: TelemetrySettings) {
  const { otelTimeoutMs: timeoutMillis, otelCompression } = settings;
  const compression = otelCompression === 'gzip' ? CompressionAlgorithm.GZIP : CompressionAlgorithm.NONE;
  return { url, headers: { ...headers }, timeoutMillis, compression };
}
