import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { Type } from '@sinclair/typebox';
import { decodeTimeCursor, defineRoute, encodeCursor, PageQuery, pageOf, type Route } from '@steward/http';
import { isTerminal, type ExecutionRow } from '@steward/slice-flows';
import { listSessionTimeline, type SessionContent } from '@steward/slice-gateway';
import { readExecution } from './execution-read.ts';
import type { FlowDeps } from './flow-deps.ts';
import { ExecutionParams } from './flow-schemas.ts';

const LogLine = Type.Object({
  id: Type.String({ format: 'uuid' }),
  occurred_at: Type.String({ format: 'date-time' }),
  step: Type.Union([Type.String(), Type.Null()], { description: 'Part of the run the line comes from.' }),
  level: Type.Union([Type.String(), Type.Null()]),
  text: Type.String({ description: 'One or more lines that came together.' }),
});

const Query = Type.Object(
  {
    ...PageQuery,
    follow: Type.Optional(
      Type.String({
        enum: ['1', 'true', '0', 'false'],
        description: 'Stream server-sent events until the execution ends.',
      }),
    ),
  },
  { additionalProperties: false },
);

const FOLLOW_POLL_MS = 250;
const FOLLOW_BATCH = 200;
const KEEP_ALIVE_MS = 15_000;

export function createExecutionLogsRoute(deps: FlowDeps): Route {
  return defineRoute({
    method: 'get',
    path: '/api/v1/flows/executions/{execution_id}/logs',
    auth: 'bearer',
    permissions: ['view_flows'],
    tag: 'flow executions',
    summary: 'Log lines of an execution, oldest first; `follow=1` streams them.',
    params: ExecutionParams,
    query: Query,
    responses: {
      200: {
        description:
          'A page of lines, or with follow an event stream: a `log` event per line, then `end` with the execution’s status.',
        schema: pageOf(LogLine),
      },
    },
    handler: async ({ params, query, headers, principal, signal }) => {
      const execution = await readExecution(deps, principal.accountId, params.execution_id);
      if (query.follow === '1' || query.follow === 'true') {
        // A browser that lost the connection sends the id of the last event instead of a cursor.
        const after = readPosition(query.cursor ?? headers['last-event-id']?.toString());
        return { stream: (response) => streamLogs(deps, response, { execution, after, signal }) };
      }
      const after = readPosition(query.cursor);
      const page = await listLines(deps, execution, after, query.limit ?? 50);
      const last = page.items.at(-1);
      const next = page.hasMore && last !== undefined ? encodeCursor(last.occurredAt, last.id) : null;
      return { status: 200, body: { items: page.items.map(presentLine), next_cursor: next } };
    },
  });
}

interface Position {
  readonly occurredAt: Date;
  readonly id: string;
}

function readPosition(cursor: string | undefined): Position | undefined {
  const decoded = decodeTimeCursor(cursor === '' ? undefined : cursor);
  return decoded === undefined ? undefined : { occurredAt: decoded.at, id: decoded.id };
}

async function listLines(
  deps: Pick<FlowDeps, 'db'>,
  execution: ExecutionRow,
  after: Position | undefined,
  limit: number,
) {
  const { runtime_session_id: sessionId } = execution;
  if (sessionId === null) return { items: [], hasMore: false };
  return listSessionTimeline(deps.db, { accountId: execution.account_id, sessionId, after, limit, kind: 'flow_log' });
}

/** A flow log keeps its step as the row's role and its level as the row's status. */
function presentLine(line: SessionContent): object {
  return { id: line.id, occurred_at: line.occurredAt, step: line.role, level: line.status, text: String(line.content) };
}

interface Follow {
  readonly execution: ExecutionRow;
  readonly after: Position | undefined;
  readonly signal: AbortSignal;
}

/** Reads on only when the client took what was written: a slow reader holds one batch in memory, not the whole log. */
async function streamLogs(deps: Pick<FlowDeps, 'db'>, response: ServerResponse, follow: Follow): Promise<void> {
  const { signal } = follow;
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' });
  response.flushHeaders();
  let position = follow.after;
  let lastWriteAt = Date.now();
  const write = async (event: string, data: object, id?: string): Promise<void> => {
    lastWriteAt = Date.now();
    const idLine = id === undefined ? '' : `id: ${id}\n`;
    if (!response.write(`${idLine}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`))
      await once(response, 'drain', { signal });
  };
  try {
    while (!signal.aborted) {
      // Read before the lines: whatever was logged before the end is still streamed.
      const execution = await readExecution(deps, follow.execution.account_id, follow.execution.id);
      const page = await listLines(deps, execution, position, FOLLOW_BATCH);
      for (const block of page.items) {
        const lines = String(block.content).split('\n');
        for (const [index, text] of lines.entries()) {
          // Only the last line of a block carries the id: a client that resumes from it misses none.
          const id = index === lines.length - 1 ? encodeCursor(block.occurredAt, block.id) : undefined;
          await write('log', { ...presentLine(block), text }, id);
        }
        position = { occurredAt: block.occurredAt, id: block.id };
      }
      if (page.hasMore) continue;
      if (isTerminal(execution.status)) {
        await write('end', { status: execution.status, failure_category: execution.failure_category });
        break;
      }
      if (Date.now() - lastWriteAt > KEEP_ALIVE_MS) await write('ping', {});
      await delay(FOLLOW_POLL_MS, undefined, { signal });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  response.end();
}
