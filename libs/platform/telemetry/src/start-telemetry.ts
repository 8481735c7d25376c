import type { Component, Logger, Metrics } from '@steward/process';
import { planExport, type TelemetrySettings } from './plan-export.ts';

export interface TelemetryOptions {
  /** Name of the app. */
  readonly service: string;
  readonly settings: TelemetrySettings;
  readonly metrics: Pick<Metrics, 'list'>;
  readonly logger: Logger;
}

/**
 * Exports the spans and metrics of this process if its settings name a collector. The function must be called before
 * the database connection is opened, so that statements become spans. The returned component sends waiting spans when
 * it stops.
 */
export async function startTelemetry(options: TelemetryOptions): Promise<readonly Component[]> {
  const plan = planExport(options.settings);
  if (plan === undefined) return [];
  // The code is loaded only here, because its size is half a megabyte and hardly any process needs it.
  const { openExport } = await import('./otlp/open-export.ts');
  return [openExport(plan, options)];
}
