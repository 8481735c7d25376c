import type { UsageRow } from '@steward/models';
import type { Metrics } from '@steward/process';

const DURATION_BUCKETS_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800];
const FIRST_BYTE_BUCKETS_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

/**
 * Creates a function that counts the usage of model calls, from their usage rows. Labels are paths, providers, outcomes
 * and kinds of tokens, never models or accounts.
 */
export function createModelMetrics(metrics: Metrics): (row: UsageRow) => void {
  const calls = metrics.counter('steward_model_calls_total', 'Model calls that ended, by outcome.', [
    'endpoint',
    'provider',
    'status',
    'error_class',
  ]);
  const duration = metrics.histogram(
    'steward_model_call_duration_seconds',
    'Time from the arrival of a model call to the end of its response.',
    ['endpoint', 'status'],
    DURATION_BUCKETS_SECONDS,
  );
  const firstByte = metrics.histogram(
    'steward_model_call_first_byte_seconds',
    'Time from the arrival of a model call to the first byte of its response.',
    ['endpoint'],
    FIRST_BYTE_BUCKETS_SECONDS,
  );
  const tokens = metrics.counter('steward_model_tokens_total', 'Tokens of model calls, by kind.', ['provider', 'kind']);
  const cost = metrics.counter('steward_model_cost_usd_total', 'Cost of model calls in US dollars.', ['provider']);
  const unpriced = metrics.counter('steward_model_calls_unpriced_total', 'Model calls whose price is unknown.');
  return (row) => {
    const provider = row.provider ?? 'none';
    const { endpoint, status } = row;
    calls.inc({ endpoint, provider, status, error_class: nameErrorClass(row.errorClass) });
    duration.observe({ endpoint, status }, row.durationMs / 1000);
    if (row.firstByteMs !== null) firstByte.observe({ endpoint }, row.firstByteMs / 1000);
    const cached = row.cachedInputTokens ?? 0;
    tokens.inc({ provider, kind: 'input' }, Math.max((row.inputTokens ?? 0) - cached, 0));
    tokens.inc({ provider, kind: 'cached_input' }, cached);
    tokens.inc({ provider, kind: 'output' }, row.outputTokens ?? 0);
    if (row.costUsd === null) unpriced.inc();
    else cost.inc({ provider }, Number(row.costUsd));
  };
}

/**
 * Returns the label for an error class. A provider may return any status, and each would be a separate series, so
 * statuses are grouped by their first digit.
 */
function nameErrorClass(errorClass: string | null): string {
  return errorClass === null ? 'none' : errorClass.replace(/^provider_(\d)\d\d$/, 'provider_$1xx');
}
