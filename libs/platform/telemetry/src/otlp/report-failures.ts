import { ExportResultCode, type ExportResult } from '@opentelemetry/core';
import type { Logger } from '@steward/process';

const WARN_EVERY_MS = 60_000;

interface Exporter<Items> {
  export(items: Items, done: (result: ExportResult) => void): void;
}

/**
 * Makes an exporter log its failures, at most once a minute, because the packages of OpenTelemetry do not report them.
 * Returns the exporter.
 */
export function reportFailures<Items, E extends Exporter<Items>>(
  signal: 'traces' | 'metrics',
  exporter: E & Exporter<Items>,
  logger: Pick<Logger, 'warn'>,
): E {
  let warnedAt = Number.NEGATIVE_INFINITY;
  let failed = 0;
  const send = exporter.export.bind(exporter);
  exporter.export = (items: Items, done: (result: ExportResult) => void): void =>
    send(items, (result) => {
      if (result.code !== ExportResultCode.SUCCESS) {
        failed += 1;
        const now = performance.now();
        if (now - warnedAt >= WARN_EVERY_MS) {
          warnedAt = now;
          logger.warn('telemetry.export_failed', { signal, exports_failed: failed, error: result.error });
        }
      }
      done(result);
    });
  return exporter;
}
