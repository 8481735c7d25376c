import { setTimeout as delay } from 'node:timers/promises';
import { ProtocolError, SdkHttpError, type CallToolResult, type Client } from '@modelcontextprotocol/client';
import { ANSWER_LOST } from '@steward/mcp-client';
import { fail, type ToolResult } from '../tools/tool.ts';
import { isTemporary, readRequestId, readToolResult, readWaiting, type WaitingCall } from './read-tool-result.ts';

export interface GovernedCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  /** Called when the run begins to wait for an approval, and when the wait ends. */
  readonly note: (text: string) => Promise<void>;
}

type Question = Parameters<Client['callTool']>[0];

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
/** Number of times that the API is asked about a call whose response was lost: the call may still be in progress. */
const LOST_ASKED = 3;

/**
 * Calls a tool once. If the call needs an approval, waits for the decision, and then for the result or the reason why
 * there is no result; this wait has no time limit of its own, but ends with the run. If a poll for the decision fails,
 * it is repeated; the call itself is never repeated. If the response to the call was lost, the API is asked whether the
 * call waits for an approval.
 */
export async function callGovernedTool(client: Client, call: GovernedCall): Promise<ToolResult> {
  const { name, signal, note } = call;
  try {
    let result = await askOnce(client, call);
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

/** Makes the call. @throws the error of the call, unless the call turns out to be held for an approval */
async function askOnce(client: Client, call: GovernedCall): Promise<CallToolResult> {
  const { name, arguments: args, signal } = call;
  try {
    return await ask(client, { name, arguments: { ...args }, _meta: AT_ONCE }, signal);
  } catch (error) {
    const found = isLost(error) ? await findLost(client, call).catch(() => undefined) : undefined;
    if (found === undefined) throw error;
    // If the request has already been decided, its outcome is read by its id.
    return readWaiting(found.state) === undefined ? askAfter(client, found, signal) : found.state;
  }
}

/** Returns the request of a call whose response was lost; undefined if the call is not held (TOOL-34). */
async function findLost(client: Client, { name, arguments: args, signal }: GovernedCall) {
  const question = { name: 'get_approval_status', arguments: { call: { name, arguments: args } } };
  for (let asked = 0; asked < LOST_ASKED; asked += 1) {
    const state = await askUntilAnswered(client, question, { signal, mayRepeat: isPassing });
    const requestId = readRequestId(state);
    if (requestId !== undefined) return { requestId, state };
  }
  return undefined;
}

function askAfter(client: Client, { requestId }: WaitingCall, signal: AbortSignal): Promise<CallToolResult> {
  const question = {
    name: 'get_approval_status',
    arguments: { approval_request_id: requestId, wait_seconds: WAIT_SECONDS },
  };
  return askUntilAnswered(client, question, { signal, mayRepeat: () => true });
}

/**
 * Polls until the API states an outcome or a final refusal. Requests are stored in the database, so any API process can
 * respond.
 * @throws the error of a poll that may not be repeated
 */
async function askUntilAnswered(
  client: Client,
  question: Question,
  { signal, mayRepeat }: { readonly signal: AbortSignal; readonly mayRepeat: (error: unknown) => boolean },
): Promise<CallToolResult> {
  for (;;) {
    await delay(PAUSE_MS, undefined, { signal });
    try {
      const answer = await ask(client, question, signal);
      if (!isTemporary(answer)) return answer;
    } catch (error) {
      signal.throwIfAborted();
      if (!mayRepeat(error)) throw error;
    }
  }
}

/** Returns whether the API may have received a request although it did not respond to it. */
function isLost(error: unknown): boolean {
  if (error instanceof ProtocolError) return error.code === ANSWER_LOST;
  return !(error instanceof SdkHttpError) || error.status >= 500;
}

/** Returns whether the same request may succeed later. */
function isPassing(error: unknown): boolean {
  return isLost(error) || (error instanceof SdkHttpError && error.status === 429);
}

function ask(client: Client, params: Question, signal: AbortSignal): Promise<CallToolResult> {
  return client.callTool(params, {
    signal,
    timeout: CALL_MS,
    // The API lets callers that request progress wait longer.
    onprogress: () => undefined,
  });
}
