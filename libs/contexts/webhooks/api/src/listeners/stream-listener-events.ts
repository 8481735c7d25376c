import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { AppError } from '@steward/contracts';
import { recordAudit } from '@steward/audit';
import { transact } from '@steward/database';
import { defineRoute, readBearer, type Authenticate, type Route } from '@steward/http';
import { requireFound, type OpenRequests } from '@steward/api';
import {
  FIRST_POSITION,
  parsePosition,
  readCurrentPosition,
  readListenerEvents,
  touchListener,
  type ListenerRead,
  type Position,
} from '@steward/webhooks';
import type { EventWebhooksDeps } from '../webhooks-deps.ts';
import { ListenerParams, StreamQuery } from './listener-schemas.ts';
import type { ListenerStreams } from './listener-streams.ts';
import { writeEventStream } from './write-event-stream.ts';

export interface StreamDeps extends EventWebhooksDeps {
  readonly openRequests: Pick<OpenRequests, 'listeners'>;
  readonly authenticate: Authenticate;
  readonly listenerStreams: ListenerStreams;
}

const PAGE = 20;
const PERMISSION = 'manage_policies';

export function createStreamListenerEventsRoute(deps: StreamDeps): Route {
  return defineRoute({
    operationId: 'streamListenerEvents',
    method: 'get',
    path: '/api/v1/event-webhooks/listeners/{listener_id}/events',
    permissions: [PERMISSION],
    summary: 'Stream the events of a listener. Each event is sent at least once and is signed like a webhook.',
    description:
      'The response consists of server-sent events: `event` is the event type; `data` is an object with the `headers` and the `body` of a webhook with this event; `id` is the position to send as `Last-Event-ID`. A `ping` is sent every 15 s.',
    params: ListenerParams,
    query: StreamQuery,
    responses: {
      200: { description: 'The stream, which the service ends after at most an hour.', mediaType: 'text/event-stream' },
    },
    audit: { action: 'listen', resourceType: 'event_webhook_listener' },
    handler: async ({ params, query, headers, principal, signal, audit }) => {
      const listener = { accountId: principal.accountId, id: params.listener_id };
      const lastEventId = headers['last-event-id']?.toString() ?? '';
      const position = await readPosition(deps, lastEventId, query.from);
      const leave = deps.openRequests.listeners.enter(principal);
      try {
        const read = (at: Position) => readListenerEvents(deps.db, listener, at, PAGE);
        const first = requireRead(await read(position));
        const sealed = requireFound(await touchListener(deps.db, listener.accountId, listener.id));
        await transact(deps, (trx) =>
          recordAudit(trx, audit({ resourceId: listener.id, details: { resumed: lastEventId !== '' } })),
        );
        const secret = deps.secretBoxes.webhook.open(sealed, listener.id);
        const open = deps.listenerStreams.open(signal);
        const stream = {
          first,
          secret,
          readNext: async (at: Position) => findRead(await read(at)),
          mayGoOn: async () =>
            (await mayListen(deps, headers, listener.accountId)) &&
            (await touchListener(deps.db, listener.accountId, listener.id)) !== undefined,
          signal: open.signal,
          clock: deps.clock,
        };
        return {
          stream: (response) =>
            writeEventStream(response, stream).finally(() => {
              open.close();
              leave();
            }),
        };
      } catch (error) {
        leave();
        throw error;
      }
    },
  });
}

async function readPosition(
  { db }: StreamDeps,
  lastEventId: string,
  from: 'kept' | 'now' | undefined,
): Promise<Position> {
  if (lastEventId === '') return from === 'now' ? readCurrentPosition(db) : FIRST_POSITION;
  const position = parsePosition(lastEventId);
  if (position !== undefined) return position;
  throw new AppError('invalid_request', {
    message: 'Last-Event-ID is not the id of an event of a stream.',
    detail: { field: 'Last-Event-ID' },
  });
}

type Page = Extract<ListenerRead, { kind: 'read' }>;

function findRead(read: ListenerRead): Page | undefined {
  return read.kind === 'read' ? read : undefined;
}

function requireRead(read: ListenerRead): Page {
  if (read.kind === 'not_found') throw new AppError('not_found');
  if (read.kind === 'place_gone') throw new AppError('place_gone');
  return read;
}

/**
 * Returns whether a stream may continue. A stream can outlast its authorization, so it has to end when the credential
 * is no longer valid, or the caller has been suspended or has lost the permission.
 */
async function mayListen({ authenticate }: StreamDeps, headers: IncomingHttpHeaders, accountId: string) {
  const credential = readBearer({ headers } as IncomingMessage);
  const principal = credential === undefined ? undefined : await authenticate(credential);
  if (principal === undefined || principal.isSuspended === true) return false;
  return principal.accountId === accountId && principal.permissions.has(PERMISSION);
}
