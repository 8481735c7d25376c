import { setTimeout as delay } from 'node:timers/promises';
import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import { fail, type ToolResult } from '../tools/tool.ts';
import { readToolResult, readWaiting, type WaitingCall } from './read-tool-result.ts';

export interface GovernedCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  /** Told when people are waited for, and when no longer. */
  readonly note: (text: string) => Promise<void>;
}

/** Which request is waited for is known from the first answer on, whatever becomes of the API meanwhile. */
const AT_ONCE = { 'steward/wait_seconds': 0 };
/** Of one request; the API ends its waits well before. */
const CALL_MS = 600_000;
/** As long as the tool lets its caller wait. */
const WAIT_SECONDS = 45;
/** Between two questions, where the answer came at once. */
const PAUSE_MS = 2000;

/**
 * Calls a tool once. A call that is held is waited for as long as the run may take: its approval, and then its result, or why
 * there is none. A request is asked after anew when the API was away meanwhile; the call itself is never made twice.
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
    return fail(`The tool could not be called, or its answer was lost: ${(error as Error).message}`);
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
      // The request stands in the database: whoever serves the API next knows of it.
      signal.throwIfAborted();
    }
  }
}

function ask(client: Client, params: Parameters<Client['callTool']>[0], signal: AbortSignal): Promise<CallToolResult> {
  return client.callTool(params, {
    signal,
    timeout: CALL_MS,
    // Whoever wants to hear of progress is let wait longer.
    onprogress: () => undefined,
  });
}
