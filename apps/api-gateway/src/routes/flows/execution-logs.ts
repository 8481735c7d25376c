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
  text: Type.String(),
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
          'A page of lines, or with follow an event stream: `log` per line, then `end` with the execution’s status.',
        schema: pageOf(LogLine),
      },
    },
    handler: async ({ params, query, principal, signal }) => {
      const execution = await readExecution(deps, principal.accountId, params.execution_id);
      const cursor = decodeTimeCursor(query.cursor);
      const after = cursor === undefined ? undefined : { occurredAt: cursor.at, id: cursor.id };
      if (query.follow === '1' || query.follow === 'true') {
        return { stream: (response) => streamLogs(deps, response, { execution, after, signal }) };
      }
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
  const write = async (event: string, data: object): Promise<void> => {
    lastWriteAt = Date.now();
    if (!response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`))
      await once(response, 'drain', { signal });
  };
  try {
    while (!signal.aborted) {
      // Read before the lines: whatever was logged before the end is still streamed.
      const execution = await readExecution(deps, follow.execution.account_id, follow.execution.id);
      const page = await listLines(deps, execution, position, FOLLOW_BATCH);
      for (const line of page.items) {
        await write('log', presentLine(line));
        position = { occurredAt: line.occurredAt, id: line.id };
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
