import { setTimeout as delay } from 'node:timers/promises';
import type { Api, ApiAnswer } from '../demo/api.ts';

/** Interval in the `Retry-After` of a refusal. */
const AGAIN_MS = 1000;

/**
 * Returns the ended execution; one call waits for at most a minute. If an account waits for too many executions at
 * once, the request is retried (LIM-9).
 */
export async function readEnd(api: Api, executionId: string): Promise<ApiAnswer['body']> {
  for (;;) {
    const { status, body } = await api.call('GET', `/api/v1/flows/executions/${executionId}?wait=60`);
    if (status === 429) await delay(AGAIN_MS);
    else if (body.finished_at !== null) return body;
  }
}
