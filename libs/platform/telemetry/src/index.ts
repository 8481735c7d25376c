/**
 * Telemetry: records spans of the work of a process, and exports these spans and the metrics of the process by OTLP.
 * The standard variables of OpenTelemetry enable it. While it is disabled, a span costs one comparison and no package
 * of OpenTelemetry is loaded.
 *
 * Not here: trace contexts themselves (crypto), metrics (process), OTLP requests of agents (otlp). Used by: service,
 * which starts the export; http, broker and database, for spans of requests, messages and statements; contexts and
 * apps, for spans of their own work.
 */
export {
  drawHop,
  inSpan,
  isRecorded,
  isTracing,
  openSpan,
  withinSpan,
  type Attributes,
  type OpenSpan,
  type SpanFacts,
  type SpanStart,
} from './span.ts';
export { messageHop } from './message-hop.ts';
export { startTelemetry } from './start-telemetry.ts';
export { listTelemetrySecrets, type TelemetrySettings } from './plan-export.ts';
