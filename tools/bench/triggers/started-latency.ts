import type { Api } from '../../src/demo/api.ts';
import { summarize, type Latencies } from '../statistics.ts';

/** Agent command that records the time at which it starts; everything after that time is not measured. */
export const CLOCK_AGENT = `printf '{"started_ms":%s}' "$(date +%s%3N)" > result.json`;

/**
 * Measures the milliseconds from sending the trigger to the first command of the agent, one run at a time on an idle
 * worker.
 */
export async function measureStartedLatency(api: Api, triggerPath: string, samples: number): Promise<Latencies> {
  const valuesMs: number[] = [];
  for (let sample = -3; sample < samples; sample += 1) {
    const sentAt = Date.now();
    const accepted = await api.call('POST', triggerPath, { body: { sample } });
    const path = `/api/v1/flows/executions/${String(accepted.body.execution_id)}`;
    const { body } = await api.call('GET', `${path}?wait=30`);
    const result = body.result as unknown as { started_ms?: number } | null;
    if (result?.started_ms === undefined)
      throw new Error(`a run ended ${String(body.status)}: ${String(body.error_message)}`);
    // The first runs warm up the worker.
    if (sample >= 0) valuesMs.push(result.started_ms - sentAt);
  }
  return summarize(valuesMs);
}
