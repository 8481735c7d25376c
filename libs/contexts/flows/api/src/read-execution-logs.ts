import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Type } from '@sinclair/typebox';
import { AGENT_KINDS } from '@steward/contracts';
import { defineRoute, nullable, pageOf, PageQuery, readLimit, type AnswerBody, type Route } from '@steward/http';
import { maskCredentials } from '@steward/masking';
import { isTerminal, type ExecutionRow } from '@steward/flows';
import { listSessionTimeline, type SessionContent } from '@steward/sessions';
import {
  noteDenied,
  noteRead,
  readsOriginals,
  cutWhenStalled,
  buildTimelineCursor,
  findNextCursor,
  readTimelineCursor,
  type TimelinePlace,
} from '@steward/api';
import { readExecution, readExecutionNext } from './read-execution.ts';
import type { FlowDeps, WaitDeps } from './flow-deps.ts';
import { ExecutionParams } from './flow-schemas.ts';

const LogLine = Type.Object({
  id: Type.String({ format: 'uuid' }),
  occurred_at: Type.String({ format: 'date-time' }),
  step: nullable(Type.String(), 'Step of the run that wrote the line.'),
  level: nullable(Type.String()),
  text: Type.String({ description: 'One or more lines that were received together.' }),
});

const Query = Type.Object(
  {
    ...PageQuery,
    follow: Type.Optional(
      Type.String({
        enum: ['1', 'true', '0', 'false'],
        description: 'Whether to stream server-sent events until the execution ends.',
      }),
    ),
  },
  { additionalProperties: false },
);

const FOLLOW_BATCH = 200;
const KEEP_ALIVE_MS = 15_000;

export function createExecutionLogsRoute(deps: WaitDeps): Route {
  return defineRoute({
    operationId: 'listExecutionLogs',
    method: 'get',
    path: '/api/v1/flows/executions/{execution_id}/logs',
    openTo: AGENT_KINDS,
    permissions: ['view_flows'],
    summary: 'Read the log lines of an execution, oldest first; `follow=1` streams them.',
    params: ExecutionParams,
    query: Query,
    responses: {
      200: {
        description:
          'A page of lines. With `follow`, the response is an event stream: a `log` event per line, then an `end` event with the execution’s status.',
        name: 'LogLine',
        schema: pageOf(LogLine),
      },
    },
    audit: { action: 'read', resourceType: 'flow_execution' },
    onRefused: noteDenied(deps, 'logs'),
    handler: async ({ params, query, headers, principal, signal, audit }) => {
      const execution = await readExecution(deps, principal.accountId, params.execution_id);
      const present = readsOriginals(principal, execution.runtime_session_id) ? readText : readMaskedText;
      if (query.follow === '1' || query.follow === 'true') {
        // A browser that reconnects sends the id of the last event instead of a cursor.
        const after = readPosition(query.cursor ?? headers['last-event-id']?.toString());
        const leave = deps.openRequests.waits.enter(principal);
        const follow = { execution, after, signal, present };
        const noted = noteRead(deps, { what: 'logs', resourceId: execution.id, principal, audit });
        return { stream: (response) => noted.then(() => streamLogs(deps, response, follow)).finally(leave) };
      }
      const after = readPosition(query.cursor);
      const page = await listLines(deps, execution, after, readLimit(query));
      await noteRead(deps, { what: 'logs', resourceId: execution.id, principal, audit });
      return {
        status: 200,
        body: { items: page.items.map((line) => presentLine(line, present(line))), next_cursor: findNextCursor(page) },
      };
    },
  });
}

/** Reads the position of a cursor. A browser that has not received any event yet may send an empty cursor. */
function readPosition(cursor: string | undefined): TimelinePlace | undefined {
  return readTimelineCursor(cursor === '' ? undefined : cursor);
}

async function listLines(
  deps: Pick<FlowDeps, 'db'>,
  execution: ExecutionRow,
  after: TimelinePlace | undefined,
  limit: number,
) {
  const { runtime_session_id: sessionId } = execution;
  if (sessionId === null) return { items: [], hasMore: false };
  return listSessionTimeline(deps.db, { accountId: execution.account_id, sessionId, after, limit, kind: 'flow_log' });
}

/**
 * Lists the next lines. Clients that follow a run from the same position share reads. A client that already knows that
 * the run has ended does not share a read that started before the end of the run, because such a read could miss the
 * last lines.
 */
function listSharedLines(deps: WaitDeps, execution: ExecutionRow, after: TimelinePlace | undefined) {
  const key = `${execution.id} ${execution.status} ${after === undefined ? '' : buildTimelineCursor(after)}`;
  return deps.sharedReads.readNow(key, () => listLines(deps, execution, after, FOLLOW_BATCH));
}

/** Presents a line: its step is stored as the role of the row, and its level as the status of the row. */
function presentLine(line: SessionContent, text: string): AnswerBody<typeof LogLine> {
  return { id: line.id, occurred_at: line.occurredAt, step: line.role, level: line.status, text };
}

function readText(line: SessionContent): string {
  return String(line.content);
}

/** Returns the text of a block with all its lines masked together, since a private key has several lines. */
function readMaskedText(line: SessionContent): string {
  return maskCredentials(readText(line));
}

interface Follow {
  readonly execution: ExecutionRow;
  readonly after: TimelinePlace | undefined;
  readonly signal: AbortSignal;
  readonly present: (line: SessionContent) => string;
}

/**
 * Streams the log until the run ends. Reading continues only after the client has received the data written so far:
 * for a slow client, one batch is held in memory, not the whole log.
 */
async function streamLogs(deps: WaitDeps, response: ServerResponse, follow: Follow): Promise<void> {
  const { signal } = follow;
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' });
  response.flushHeaders();
  cutWhenStalled(response);
  let { after: position, execution } = follow;
  let lastWriteAt = Date.now();
  const write = async (event: string, data: object, id?: string): Promise<void> => {
    lastWriteAt = Date.now();
    const idLine = id === undefined ? '' : `id: ${id}\n`;
    if (!response.write(`${idLine}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`))
      await once(response, 'drain', { signal });
  };
  try {
    while (!signal.aborted) {
      const page = await listSharedLines(deps, execution, position);
      for (const block of page.items) {
        const lines = follow.present(block).split('\n');
        for (const [index, text] of lines.entries()) {
          // Only the last line of a block has an id, so a client that resumes from an id misses no line.
          const id = index === lines.length - 1 ? buildTimelineCursor(block) : undefined;
          await write('log', presentLine(block, text), id);
        }
        position = { occurredAt: block.occurredAt, id: block.id };
      }
      if (page.hasMore) continue;
      if (isTerminal(execution.status)) {
        await write('end', { status: execution.status, failure_category: execution.failure_category });
        break;
      }
      if (Date.now() - lastWriteAt > KEEP_ALIVE_MS) await write('ping', {});
      // The execution is read before the lines, so that everything logged before its end is still streamed.
      execution = await readExecutionNext(deps, execution);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  response.end();
}
