import {
  LOG_LEVEL_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  type Client,
  type StandardSchemaV1,
} from '@modelcontextprotocol/client';
import type { Connection } from './connections.ts';
import { keepAnswers, type Kept } from './exchange.ts';
import { fitAnswer } from './rules/fit-answer.ts';
import { fitOffers } from './rules/fit-offer.ts';
import { fitResult } from './rules/fit-result.ts';
import { isRecord } from './rules/is-record.ts';
import type {
  ListedOffers,
  ListedTools,
  OfferKind,
  ServerRequest,
  ToolResult,
  ToolServerCall,
} from './tool-server-client.ts';

/** Maximum time in milliseconds without a progress notification for a call, or without data of a response. */
export const CALL_MS = 300_000;
/** Maximum duration of a whole call in milliseconds. */
export const WHOLE_CALL_MS = 600_000;
const LEVEL_MS = 10_000;
const MAX_PAGES = 50;
/** Maximum number of offers of one kind (LIM-86). */
const MAX_OFFERS = 1000;

/** Schema that accepts any result, since `readAnswer` has already parsed the results. */
const PASS: StandardSchemaV1<unknown, unknown> = {
  '~standard': { version: 1, vendor: 'steward', validate: (value) => ({ value }) },
};

type Limits = { readonly signal: AbortSignal; readonly timeout: number };

/**
 * Lists the tools of a server. The SDK returns placeholders; they are used only to find the tools that clients would
 * reject because of their headers.
 */
export async function listTools({ client, beginList }: Connection, request: Limits): Promise<ListedTools> {
  beginList();
  return keepAnswers(async ({ pages }) => {
    const { tools: known } = await client.listTools(undefined, { ...request, cacheMode: 'bypass' });
    const names = new Set(known.map(({ name }) => name));
    const tools = pages.flatMap((page) => page.tools);
    const dropped = tools.filter(({ name }) => !names.has(name));
    return {
      tools: tools.filter(({ name }) => names.has(name)),
      faults: [
        ...new Set(pages.flatMap((page) => page.faults)),
        ...dropped.map(({ name }) => `the tool ${name} is omitted: its headers do not conform to the protocol`),
      ],
    };
  });
}

const LISTS = {
  resources: { method: 'resources/list', member: 'resources', part: 'resources' },
  resourceTemplates: { method: 'resources/templates/list', member: 'resourceTemplates', part: 'resources' },
  prompts: { method: 'prompts/list', member: 'prompts', part: 'prompts' },
} as const;

/**
 * Lists the offers of one kind, up to the limits; no request is sent to a server that does not declare the capability
 * for this kind.
 */
export async function listOffers(
  { client, beginList }: Connection,
  kind: OfferKind,
  request: Limits,
): Promise<ListedOffers> {
  const { method, member, part } = LISTS[kind];
  if (client.getServerCapabilities()?.[part] === undefined) return { offers: [], faults: [] };
  beginList();
  const listed: unknown[] = [];
  let cursor: string | undefined;
  try {
    for (let page = 0; page < MAX_PAGES && listed.length < MAX_OFFERS; page += 1) {
      const params = cursor === undefined ? {} : { cursor };
      const result = await keepAnswers(async (kept) => {
        await client.request({ method, params }, PASS, request);
        return kept.result;
      });
      const { [member]: items, nextCursor } = isRecord(result) ? result : {};
      if (Array.isArray(items)) listed.push(...(items as unknown[]));
      if (typeof nextCursor !== 'string' || nextCursor === cursor) break;
      cursor = nextCursor;
    }
  } catch (error) {
    // Some servers with resources do not support the request for resource templates.
    if (!(error instanceof ProtocolError && error.code === ProtocolErrorCode.MethodNotFound)) throw error;
  }
  return fitOffers(kind, listed.slice(0, MAX_OFFERS));
}

export async function callTool(client: Client, call: ToolServerCall, kept: Kept): Promise<ToolResult> {
  const { name, arguments: args } = call;
  delete kept.result;
  await client.callTool({ name, arguments: { ...args }, _meta: describeMeta(call) }, describeLimits(call));
  return fitResult(kept.result);
}

export async function askServer(client: Client, request: ServerRequest, kept: Kept) {
  const { method, params } = request;
  delete kept.result;
  await client.request({ method, params: { ...params, _meta: describeMeta(request) } }, PASS, describeLimits(request));
  return fitAnswer(method, kept.result);
}

/**
 * Sets the log level on a server of a revision before 2026, if it differs from the level last set in the conversation.
 */
export async function useLevel(
  connection: Connection,
  { logLevel: level, signal }: Pick<ToolServerCall, 'logLevel' | 'signal'>,
): Promise<void> {
  const { client, era } = connection;
  if (level === undefined || era.kind !== 'legacy' || connection.logLevel === level) return;
  if (client.getServerCapabilities()?.logging === undefined) return;
  connection.logLevel = level;
  // A server that does not support this request chooses the level itself.
  await client
    .request({ method: 'logging/setLevel', params: { level } }, PASS, { signal, timeout: LEVEL_MS })
    .catch(() => undefined);
}

/** Returns the metadata of a request; a server of the 2026 revision receives the log level with each request. */
function describeMeta({ traceparent, logLevel }: Pick<ToolServerCall, 'traceparent' | 'logLevel'>) {
  return { traceparent, ...(logLevel === undefined ? {} : { [LOG_LEVEL_META_KEY]: logLevel }) };
}

function describeLimits({ signal, onProgress }: Pick<ToolServerCall, 'signal' | 'onProgress'>) {
  return {
    signal,
    timeout: CALL_MS,
    maxTotalTimeout: WHOLE_CALL_MS,
    resetTimeoutOnProgress: true,
    ...(onProgress === undefined ? {} : { onprogress: onProgress as (progress: object) => void }),
  };
}
