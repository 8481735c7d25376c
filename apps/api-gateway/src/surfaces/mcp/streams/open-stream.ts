import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ServerResult } from '@modelcontextprotocol/server';
import type { AnyDatabase } from '@steward/database';
import { listSubscribed, subscribe, unsubscribe, type Listener } from '@steward/tool-servers';
import type { Clock } from '@steward/async';
import { SESSION_HEADER } from '../cancellations.ts';
import { refuseUnknown } from '../offers/packed-answers.ts';
import type { McpCaller } from '../tool.ts';
import { followChanges, type Change, type FeedDeps } from './change-feed.ts';

/** A stream is closed after this time; clients then open a new one. */
export const STREAM_MS = 3_600_000;
const KEEP_ALIVE_MS = 25_000;
const RETRY_MS = 2_000;
/** Maximum length of a URI; real ones are shorter. */
const MAX_URI = 2_100;

const METHODS = {
  tools: 'notifications/tools/list_changed',
  prompts: 'notifications/prompts/list_changed',
  resources: 'notifications/resources/list_changed',
  updated: 'notifications/resources/updated',
} as const;

/** Opens the stream of change notifications for a client of a protocol revision before 2026. */
export function openStream(deps: FeedDeps, caller: McpCaller, signal: AbortSignal): Readable {
  const source = new Readable({ read: () => undefined });
  const ending = AbortSignal.any([signal, AbortSignal.timeout(STREAM_MS)]);
  const listener = describeListener(caller);
  source.push(`retry: ${RETRY_MS}\n\n`);
  const keepAlive = setInterval(() => source.push(': still here\n\n'), KEEP_ALIVE_MS);
  const uris = () => (listener === undefined ? Promise.resolve([]) : listSubscribed(deps.db, listener));
  const hear = (change: Change): void => void source.push(`event: message\ndata: ${writeChange(change)}\n\n`);
  void followChanges(deps, { caller, uris, hear, signal: ending })
    .catch(() => undefined)
    .finally(() => {
      clearInterval(keepAlive);
      source.push(null);
    });
  return source;
}

function writeChange(change: Change): string {
  const params = change.kind === 'updated' ? { params: { ...change.params, uri: change.uri } } : {};
  return JSON.stringify({ jsonrpc: '2.0', method: METHODS[change.kind], ...params });
}

/**
 * Creates the functions with which clients of protocol revisions before 2026 subscribe and unsubscribe. Their requests
 * are separate from the stream, and any process may receive them. The subscriptions are stored in the database, from
 * which the process with the stream reads them.
 */
export function createSubscriptions({ db, clock }: { readonly db: AnyDatabase; readonly clock: Clock }) {
  return {
    async subscribe(caller: McpCaller, uri: string): Promise<ServerResult> {
      const listener = describeListener(caller);
      if (listener === undefined)
        throw refuseUnknown('A subscription belongs to a session: start a session with initialize, and send its id.');
      if (uri.length > MAX_URI) throw refuseUnknown('The URI is too long.');
      if (await subscribe(db, listener, { uri, now: clock.now() })) return {};
      throw refuseUnknown(
        'The session or the account has reached its maximum number of subscriptions. Unsubscribe from a resource first.',
      );
    },
    async unsubscribe(caller: McpCaller, uri: string): Promise<ServerResult> {
      const listener = describeListener(caller);
      if (listener !== undefined) await unsubscribe(db, listener, uri);
      return {};
    },
  };
}

export type Subscriptions = ReturnType<typeof createSubscriptions>;

/**
 * Identifies a session by a hash of its id and the caller's ids, so that no other caller can read its subscriptions.
 * Returns undefined for a request without a session.
 */
function describeListener({ principal, headers }: McpCaller): Listener | undefined {
  const session = headers[SESSION_HEADER];
  if (typeof session !== 'string') return undefined;
  const { accountId, userId, apiKeyId, executionId } = principal;
  const text = JSON.stringify([accountId, userId, apiKeyId, executionId, session]);
  return { accountId, listener: createHash('sha256').update(text).digest() };
}
