/**
 * Telemetry: records spans of the work of a process and exports them, with its metrics, by OTLP; switched on by the
 * standard variables of OpenTelemetry. While it is off, a span costs one comparison and no package of OpenTelemetry is
 * loaded.
 *
 * Not here: trace contexts themselves (crypto), metrics (process), OTLP requests of agents (otlp). Used by: the
 * platform libs that connect processes; contexts and apps, for their own steps.
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
