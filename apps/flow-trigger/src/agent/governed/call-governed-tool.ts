import { setTimeout as delay } from 'node:timers/promises';
import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import { fail, type ToolResult } from '../tools/tool.ts';
import { readToolResult, readWaiting, type WaitingCall } from './read-tool-result.ts';

export interface GovernedCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  /** Called when the run begins to wait for an approval, and when the wait ends. */
  readonly note: (text: string) => Promise<void>;
}

/**
 * Metadata that requests the first response without a wait: this response names the pending request, so that the
 * request is known even if the API fails afterwards.
 */
const AT_ONCE = { 'steward/wait_seconds': 0 };
/** Timeout of one request; the API ends its waits well before that. */
const CALL_MS = 600_000;
/** Maximum wait of `get_approval_status`. */
const WAIT_SECONDS = 45;
/** Pause before each poll. */
const PAUSE_MS = 2000;

/**
 * Calls a tool once. If the call needs an approval, waits for the decision, and then for the result or the reason why
 * there is no result; this wait has no time limit of its own, but ends with the run. If a poll for the decision fails,
 * it is repeated; the call itself is never repeated.
 */
export async function callGovernedTool(client: Client, call: GovernedCall): Promise<ToolResult> {
  const { name, arguments: args, signal, note } = call;
  try {
    let result = await ask(client, { name, arguments: { ...args }, _meta: AT_ONCE }, signal);
    let waiting = readWaiting(result);
    if (waiting !== undefined) {
      await note(`${name}: waiting for approval ${waiting.requestId}`);
      for (; waiting !== undefined; waiting = readWaiting(result)) result = await askAfter(client, waiting, signal);
      await note(`${name}: approval decided`);
    }
    return readToolResult(result);
  } catch (error) {
    signal.throwIfAborted();
    return fail(`The tool could not be called, or its response was lost: ${(error as Error).message}`);
  }
}

async function askAfter(client: Client, { requestId }: WaitingCall, signal: AbortSignal): Promise<CallToolResult> {
  const question = {
    name: 'get_approval_status',
    arguments: { approval_request_id: requestId, wait_seconds: WAIT_SECONDS },
  };
  for (;;) {
    await delay(PAUSE_MS, undefined, { signal });
    try {
      return await ask(client, question, signal);
    } catch {
      // The request is stored in the database, so any API process can respond to polls.
      signal.throwIfAborted();
    }
  }
}

function ask(client: Client, params: Parameters<Client['callTool']>[0], signal: AbortSignal): Promise<CallToolResult> {
  return client.callTool(params, {
    signal,
    timeout: CALL_MS,
    // The API lets callers that request progress wait longer.
    onprogress: () => undefined,
  });
}
