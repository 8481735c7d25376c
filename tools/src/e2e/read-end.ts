import { setTimeout as delay } from 'node:timers/promises';
import type { Api, ApiAnswer } from '../demo/api.ts';

/** Waiting time in milliseconds, given in the `Retry-After` header of a refusal. */
const AGAIN_MS = 1000;

/**
 * Returns the execution after it has ended; a single call waits for at most a minute. If an account is waiting for too
 * many executions at the same time, the request is retried (LIM-9).
 */
export async function readEnd(api: Api, executionId: string): Promise<ApiAnswer['body']> {
  for (;;) {
    const { status, body } = await api.call('GET', `/api/v1/flows/executions/${executionId}?wait=60`);
    if (status === 429) await delay(AGAIN_MS);
    else if (body.finished_at !== null) return body;
  }
}
