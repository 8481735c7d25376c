import { SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import { AnswerLimitError } from '@steward/egress';
import { parseExactJson, toPlainJson } from '@steward/text';
import { changeEvents } from './event-lines.ts';
import type { Exchange } from './exchange.ts';
import { fitTools } from './rules/fit-tool.ts';
import { isRecord } from './rules/is-record.ts';

/**
 * Schema keyword for arguments that are sent as headers. Apart from this keyword, the SDK needs only the name of a
 * tool.
 */
const HEADERS = 'x-mcp-header';
/** Methods whose results bypass the SDK, each with the placeholder that the SDK gets instead. */
const KEPT_METHODS: ReadonlyMap<string, object> = new Map([
  ['tools/call', { content: [] }],
  ['resources/list', { resources: [] }],
  ['resources/templates/list', { resourceTemplates: [] }],
  ['resources/read', { contents: [] }],
  ['prompts/list', { prompts: [] }],
  ['prompts/get', { messages: [] }],
  ['completion/complete', { completion: { values: [] } }],
]);
const ASKED = /^[a-z]{1,20}\/[a-zA-Z]{1,30}$/;
/** Capabilities that a server may have in addition to `tools`. */
const PARTS = ['resources', 'prompts', 'completions', 'logging'] as const;
/** Statuses of responses without a body to read. */
const BODILESS: ReadonlySet<number> = new Set([202, 204, 205]);

/** Extracts the original result from a response, and replaces it with a placeholder for the SDK. */
export async function readAnswer(answer: Response, now: Exchange, maxEvents: number): Promise<Response> {
  if (now.request === undefined || !answer.ok || BODILESS.has(answer.status) || answer.body === null) return answer;
  const { status, statusText } = answer;
  const headers = new Headers(answer.headers);
  headers.delete('content-length');
  if (/^text\/event-stream\b/i.test(headers.get('content-type') ?? '')) {
    const change = (data: string): string | undefined => {
      now.events += 1;
      if (now.events > maxEvents)
        throw noteExcess(now, new AnswerLimitError(`the response has more than ${maxEvents} events`));
      return changeMessages(data, now)?.text;
    };
    const events = changeEvents(change, (id) => {
      if (id !== '') now.lastEventId = id;
    });
    const body = answer.body
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(events)
      .pipeThrough(new TextEncoderStream());
    return new Response(body, { status, statusText, headers });
  }
  const text = await answer.text();
  const changed = changeMessages(text, now);
  // The tool may have run, but the response to the call cannot be read; the connection itself did not fail.
  if (changed === undefined && now.request.method === 'tools/call')
    throw new SdkError(SdkErrorCode.InvalidResult, 'the response is not a message');
  if (changed === undefined) return new Response(text, { status, statusText, headers });
  if (!changed.isAnswer) throw new SdkError(SdkErrorCode.InvalidResult, 'the response belongs to another request');
  headers.set('content-type', 'application/json');
  return new Response(changed.text, { status, statusText, headers });
}

function noteExcess(now: Exchange, error: Error): Error {
  now.excess ??= error;
  return error;
}

interface Changed {
  readonly text: string;
  /** True if the text contains the response to the request that was sent. */
  readonly isAnswer: boolean;
}

/**
 * Replaces the response to the request in a message, or in a list of messages. Returns undefined if the text is not
 * JSON, or contains a value that is not a message.
 */
function changeMessages(text: string, now: Exchange): Changed | undefined {
  let parsed: unknown;
  try {
    parsed = parseExactJson(text);
  } catch {
    return undefined;
  }
  const messages: readonly unknown[] = Array.isArray(parsed) ? parsed : [parsed];
  const namesHeaders = text.includes(HEADERS);
  const changed = messages.map((message) => changeMessage(message, now, namesHeaders));
  if (messages.some((message) => !isRecord(message))) return undefined;
  const isAnswer = changed.some((message, index) => message !== messages[index]);
  return { text: isAnswer ? JSON.stringify(Array.isArray(parsed) ? changed : changed[0]) : text, isAnswer };
}

/**
 * Returns the response to the request with a placeholder in place of the result, or with a corrected error; returns any
 * other message unchanged.
 */
function changeMessage(message: unknown, { request, kept }: Exchange, namesHeaders: boolean): unknown {
  if (!isRecord(message)) return message;
  if (message['method'] === 'notifications/message' && isRecord(message['params'])) kept?.onLog?.(message['params']);
  if (request === undefined || 'method' in message) return message;
  const { id, result } = message;
  const error = findError(message);
  // An error that occurs before the request has been read contains no request id.
  if (error !== undefined && (id === null || id === undefined || isSame(id, request.id)))
    return { jsonrpc: '2.0', id: request.id, error: fitError(error) };
  if (!('result' in message) || !isSame(id, request.id)) return message;
  return { jsonrpc: '2.0', id: request.id, result: standIn(request.method, result, { kept, namesHeaders }) };
}

const isSame = (id: unknown, asked: number | string): boolean => id === asked || String(id) === String(asked);

/** Returns the error of a message as an object; some servers send it as a string. */
function findError(message: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> | undefined {
  const { error } = message;
  if (isRecord(error)) return error;
  return typeof error === 'string' && !('result' in message) ? { message: error } : undefined;
}

function fitError({ code, message, data }: Readonly<Record<string, unknown>>) {
  return {
    code: Number.isSafeInteger(code) ? code : -32_603,
    message: typeof message === 'string' ? message : 'The server gave no reason.',
    ...(data === undefined ? {} : { data }),
  };
}

/**
 * Stores a result that bypasses the SDK, and returns the placeholder that the SDK gets instead; returns any other
 * result for the SDK.
 */
function standIn(
  method: string,
  result: unknown,
  { kept, namesHeaders }: { readonly kept: Kept | undefined; readonly namesHeaders: boolean },
): unknown {
  const empty = KEPT_METHODS.get(method);
  if (empty !== undefined && kept !== undefined) {
    if (isRecord(result) && result['resultType'] === 'input_required') {
      kept.asked = listAsked(result['inputRequests']);
      return toPlainJson(result);
    }
    kept.result = result;
    return { resultType: 'complete', ttlMs: 0, cacheScope: 'private', ...empty };
  }
  if (!isRecord(result)) return result;
  if (method === 'initialize') return fitInitialize(result);
  if (method === 'tools/list' && Array.isArray(result['tools'])) {
    const page = fitTools(result['tools'] as unknown[]);
    kept?.pages.push(page);
    const { nextCursor } = result;
    return {
      resultType: 'complete',
      ttlMs: 0,
      cacheScope: 'private',
      tools: page.tools.map(({ name, inputSchema }) => ({
        name,
        inputSchema: namesHeaders ? toPlainJson(inputSchema) : { type: 'object' },
      })),
      ...(typeof nextCursor === 'string' ? { nextCursor } : {}),
    };
  }
  return toPlainJson(result);
}

type Kept = NonNullable<Exchange['kept']>;

/**
 * Returns the methods that a server requests; their parameters are not used, because the requests are not forwarded.
 */
function listAsked(requests: unknown): readonly string[] {
  const methods = Object.values(isRecord(requests) ? requests : {}).map((each) =>
    isRecord(each) ? each['method'] : '',
  );
  return [...new Set(methods.filter((method) => typeof method === 'string' && ASKED.test(method)))] as string[];
}

/**
 * Reduces a server's self-description to the revision and the capabilities, since nothing else is used. The result
 * always contains the capability for tools, because tools are requested in any case.
 */
function fitInitialize({ protocolVersion, capabilities }: Readonly<Record<string, unknown>>) {
  const named = isRecord(capabilities) ? capabilities : {};
  const parts = PARTS.filter((part) => isRecord(named[part])).map((part) => [part, fitPart(named[part])]);
  return {
    protocolVersion,
    capabilities: { tools: {}, ...(Object.fromEntries(parts) as object) },
    serverInfo: { name: 'server', version: '1' },
  };
}

function fitPart(part: unknown): object {
  const flags = ['subscribe', 'listChanged'].filter((flag) => isRecord(part) && part[flag] === true);
  return Object.fromEntries(flags.map((flag) => [flag, true]));
}
