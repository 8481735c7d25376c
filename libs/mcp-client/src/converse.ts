import { ProtocolError, SdkHttpError } from '@modelcontextprotocol/client';
import { AnswerLimitError } from '@steward/egress';
import { ANSWER_LOST, CONNECTION_ENDED } from './call-transport.ts';
import type { Connection, Connections } from './connections.ts';
import type { ToolServerTarget } from './tool-server-client.ts';

/** Statuses with which a server rejects a request without processing it. */
const REFUSED: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 410, 412, 421]);
/**
 * Returns true for an error code that servers send before they call the method: the code for invalid requests, or a
 * code that the server defines.
 */
const isBeforeCall = (code: number): boolean => code === -32_600 || (code <= -32_000 && code >= -32_099);
const SESSION = /\bsessions?\b|session[-_ ]?id/i;
/** Matches an error that contains a request id: such an error was sent by a server that had received the request. */
const NAMES_REQUEST = /"id"\s*:\s*["\d]/;
const GONE =
  /not found|unknown|invalid|no valid|no such|expired|missing|exist|terminated|closed|\bgone\b|no longer|required|recogni[sz]ed|not initiali[sz]ed/i;

/**
 * Number of consecutive failures after which a session is abandoned. One failure is not enough, because a stateful
 * server may have been unavailable only for a moment.
 */
const MOST_FAILURES = 2;

export interface Conversation {
  readonly target: ToolServerTarget;
  readonly caller: string;
  /** Signal that is aborted when no caller waits any longer; this is not a failure of the server. */
  readonly signal: AbortSignal;
}

/**
 * Runs work in a caller's conversation with a server. If the server no longer recognizes the conversation, a new one is
 * started, once, and only if the request is known not to have been processed. A conversation that fails repeatedly is
 * abandoned.
 */
export async function converse<T>(
  connections: Connections,
  { target, caller, signal }: Conversation,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const attempt = () =>
    connections.use(target, caller, async (connection, isKept): Promise<{ readonly done: T } | undefined> => {
      try {
        const done = await work(connection);
        connection.failures = 0;
        return { done };
      } catch (error) {
        const isForgotten = isKept && saysForgotten(error);
        if (isBroken(error) && !signal.aborted) connection.failures += 1;
        if (isForgotten || connection.failures >= MOST_FAILURES) connections.forget(target, caller, connection);
        if (isForgotten) return undefined;
        throw error;
      }
    });
  const first = await attempt();
  if (first !== undefined) return first.done;
  const second = await attempt();
  if (second === undefined) throw new Error('the server does not recognize a session that was just started');
  return second.done;
}

/**
 * Returns true if the error may mean that the server does not recognize the conversation, and shows that the server has
 * not executed the request.
 */
function saysForgotten(error: unknown): boolean {
  if (error instanceof SdkHttpError) {
    const { text } = error.data;
    return REFUSED.has(error.status) || (typeof text === 'string' && !NAMES_REQUEST.test(text) && saysSession(text));
  }
  return error instanceof ProtocolError && isBeforeCall(error.code) && saysSession(error.message);
}

const saysSession = (text: string): boolean =>
  (SESSION.test(text) || /not initiali[sz]ed/i.test(text)) && GONE.test(text);

/**
 * Returns whether the conversation no longer works. It still works after a protocol error from the server or a response
 * that is too large.
 */
function isBroken(error: unknown): boolean {
  if (error instanceof ProtocolError) return error.code === ANSWER_LOST && error.message === CONNECTION_ENDED;
  return !(error instanceof AnswerLimitError);
}
