import { SettingsError, type baseSettings, type SettingsOf, type telemetrySettings } from '@steward/process';

export type TelemetrySettings = SettingsOf<typeof telemetrySettings> &
  Pick<SettingsOf<typeof baseSettings>, 'telemetryDisabled'>;

/**
 * URLs to which signals are exported, and the headers and resource attributes of the exports; a signal without a URL is
 * not exported.
 */
export interface ExportPlan {
  readonly tracesUrl: string | undefined;
  readonly metricsUrl: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly resource: Readonly<Record<string, string>>;
}

/** Returns the plan of exports; undefined if nothing is exported. */
export function planExport(settings: TelemetrySettings): ExportPlan | undefined {
  if (settings.otelDisabled || settings.telemetryDisabled) return undefined;
  const tracesUrl =
    settings.otelTracesExporter === 'none' ? undefined : (settings.otelTracesEndpoint ?? append(settings, 'traces'));
  const metricsUrl =
    settings.otelMetricsExporter === 'none' ? undefined : (settings.otelMetricsEndpoint ?? append(settings, 'metrics'));
  if (tracesUrl === undefined && metricsUrl === undefined) return undefined;
  return {
    tracesUrl,
    metricsUrl,
    headers: readPairs('OTEL_EXPORTER_OTLP_HEADERS', settings.otelHeaders),
    resource: readPairs('OTEL_RESOURCE_ATTRIBUTES', settings.otelResourceAttributes),
  };
}

function append({ otelEndpoint }: TelemetrySettings, signal: 'traces' | 'metrics'): string | undefined {
  return otelEndpoint === undefined ? undefined : `${otelEndpoint.replace(/\/+$/, '')}/v1/${signal}`;
}

/** Returns values that no log line may contain: headers contain the credentials for a collector. */
export function listTelemetrySecrets(settings: TelemetrySettings): string[] {
  return Object.values(readPairs('OTEL_EXPORTER_OTLP_HEADERS', settings.otelHeaders));
}

/** Parses `name=value,name=value`; names and values are percent-encoded, as specified by OpenTelemetry. */
function readPairs(variable: string, text = ''): Record<string, string> {
  const pairs = text
    .split(',')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '')
    .map((pair): [string, string] => {
      const at = pair.indexOf('=');
      const refusal = new SettingsError([`${variable} must have the form name=value,name=value, percent-encoded`]);
      if (at < 1) throw refusal;
      try {
        return [decodeURIComponent(pair.slice(0, at).trim()), decodeURIComponent(pair.slice(at + 1).trim())];
      } catch {
        throw refusal;
      }
    });
  return Object.fromEntries(pairs);
}
