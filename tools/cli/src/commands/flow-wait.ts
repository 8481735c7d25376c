import { createApiClient } from '../api/api-client.ts';
import type { CliContext } from '../cli-context.ts';
import { refuse } from '../exit-codes.ts';
import { waitForVerdict, type WaitOptions } from './wait-for-verdict.ts';

/** Runs `steward flow wait`: waits for an execution that was started by another user or by an interrupted command. */
export async function runFlowWait(context: CliContext, executionId: string, options: WaitOptions): Promise<void> {
  if (!/^[0-9a-f-]{36}$/i.test(executionId)) throw refuse('The id of an execution must be a UUID.');
  await waitForVerdict(context, createApiClient(context), executionId, options);
}
