import type { Api, ApiAnswer } from '../demo/api.ts';

/** An execution as it ended; one call waits for at most a minute. */
export async function readEnd(api: Api, executionId: string): Promise<ApiAnswer['body']> {
  for (;;) {
    const { body } = await api.call('GET', `/api/v1/flows/executions/${executionId}?wait=60`);
    if (body.finished_at !== null) return body;
  }
}
