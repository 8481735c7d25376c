import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { AppError, type Principal } from '@steward/contracts';
import { transact } from '@steward/database';
import { type AuditRecord, defineRoute, readMediaType, type Route, toClientError } from '@steward/http';
import { recordAudit } from '@steward/slice-audit';
import { closeImportedSession, importSessionContent } from '@steward/slice-sessions';
import { requireReach } from '../../../../auth/require-reach.ts';
import { createWaitingPlaces } from '../../../../limits/waiting-places.ts';
import { readRuntimePrincipal } from '../open-session.ts';
import { readTime } from '../../read-time.ts';
import type { SessionsDeps } from '../sessions-deps.ts';
import type { SessionBatch } from './gather-batches.ts';
import { ImportQuery, ImportSummary } from './import-schemas.ts';
import { createImportRun, type ImportRun, type StoredBatch, type Summary } from './run-import.ts';
import { toLabels } from './to-content-entry.ts';

export interface ImportDeps extends SessionsDeps {
  readonly settings: { readonly sessionIdleTimeoutMinutes: number };
}

/** Counted after decompression (LIM-13). */
const IMPORT_LIMIT_BYTES = 64 * 1024 * 1024;
/** Of one account, per process (LIM-40): each holds a record and a batch. */
const IMPORTS_AT_ONCE = 4;

const NDJSON = 'application/x-ndjson';
const LINES: readonly string[] = [NDJSON, 'application/ndjson', 'application/jsonl', 'application/x-jsonlines'];

/** POST /api/v1/runtime-sessions/import: the files that agents write, as they are. */
export function createImportSessionsRoute(deps: ImportDeps): Route {
  const places = createWaitingPlaces({ perAccount: IMPORTS_AT_ONCE, what: 'imports' });
  return defineRoute({
    method: 'post',
    path: '/api/v1/runtime-sessions/import',
    auth: 'bearer',
    permissions: ['manage_runtime_sessions'],
    tag: 'runtime sessions',
    summary: 'Import the files of agents as they are.',
    description:
      'Claude Code, Codex, OpenAI and Anthropic messages and logs, Vercel UI messages, LangSmith runs, entries of our own. ' +
      'Importing twice adds nothing; what was stored before an error stays stored. `Accept: application/x-ndjson` answers ' +
      'lines: `{"type": "progress"}` on the way, at the end `summary` or `error`.',
    query: ImportQuery,
    bodyKind: 'stream',
    bodyMediaTypes: [NDJSON, 'application/json'],
    bodyLimitBytes: IMPORT_LIMIT_BYTES,
    responses: { 200: { description: 'How much was imported.', schema: ImportSummary } },
    audit: { action: 'import', resourceType: 'runtime_session' },
    handler: async ({ query, headers, principal, traceparent, readParts, audit }) => {
      requireReach(principal, undefined);
      const kind = LINES.includes(readMediaType(headers, [...LINES, 'application/json'])) ? 'lines' : 'values';
      const endedAt = readTime(query.ended_at);
      const writer = createWriter(deps, { principal, traceparent, endedAt, record: audit });
      const leave = places.enter(principal.accountId);
      const start = (onProgress: (summary: Summary) => void): ImportRun =>
        createImportRun({
          parts: readParts(),
          kind,
          format: query.format,
          sourceId: query.session_source_id,
          now: () => deps.clock.now(),
          store: query.dry_run === true ? countBatch : writer.store,
          onProgress,
        });
      const finish = async (run: ImportRun): Promise<Summary> => {
        try {
          await run.run();
          await writer.close(run.sessionIds());
          return run.summary();
        } catch (error) {
          throw tellHowFar(error, run.summary());
        } finally {
          leave();
        }
      };
      if (!wantsProgress(headers)) return { status: 200, body: await finish(start(() => undefined)) };
      return { stream: (response) => streamProgress(response, start, finish) };
    },
  });
}

interface Writer {
  readonly store: (batch: SessionBatch) => Promise<StoredBatch>;
  readonly close: (sessionIds: readonly string[]) => Promise<void>;
}

interface WriterOptions {
  readonly principal: Principal;
  readonly traceparent: string;
  readonly endedAt: Date | undefined;
  readonly record: (fact: { resourceId: null; details: Record<string, string> }) => AuditRecord;
}

/** Stores batch after batch. The first one records the import: what cannot be recorded is not done. */
function createWriter(deps: ImportDeps, options: WriterOptions): Writer {
  const { principal, traceparent, endedAt, record } = options;
  const { accountId, apiKeyId } = principal;
  let isRecorded = false;
  return {
    async store({ head, entries, size }) {
      const { captureContent } = deps.options;
      // Large ones on the other thread, before the transaction: no lock waits for it.
      const rawBody = Buffer.from(size < LARGE_CHARS ? '' : JSON.stringify({ entries }));
      const rendered = await deps.contentRenderer.render(accountId, { kind: 'entries', rawBody, captureContent });
      const input = {
        accountId,
        apiKeyId,
        sessionSourceType: head.sourceType,
        sessionSourceId: head.sourceId,
        ...readRuntimePrincipal({}, principal),
        title: head.title,
        labels: toLabels(head),
        entries,
        rendered,
        now: deps.clock.now(),
      };
      const done = await transact({ ...deps, traceparent }, async (trx, hints) => {
        const imported = await importSessionContent(trx, hints, input, deps.options);
        if (!isRecorded) {
          const details = { source_type: head.sourceType, first_source_id: head.sourceId };
          await recordAudit(trx, record({ resourceId: null, details }));
        }
        return imported;
      });
      isRecorded = true;
      return { sessionId: done.session.id, created: done.created, stored: done.stored, skipped: done.skipped };
    },
    async close(sessionIds) {
      const idleMinutes = deps.settings.sessionIdleTimeoutMinutes;
      for (const sessionId of sessionIds) {
        const input = { accountId, sessionId, endedAt, idleMinutes, now: deps.clock.now() };
        await transact({ ...deps, traceparent }, (trx) => closeImportedSession(trx, input));
      }
    },
  };
}

/** From here on rendering takes longer than handing it over. */
const LARGE_CHARS = 64 * 1024;

function countBatch({ entries }: SessionBatch): Promise<StoredBatch> {
  return Promise.resolve({ sessionId: undefined, created: false, stored: entries.length, skipped: 0 });
}

/** The error with what was stored before it. */
function tellHowFar(error: unknown, imported: Summary): AppError {
  const { code, message, detail, retryAfterSeconds, cause } = toClientError(error);
  return new AppError(code, {
    message,
    detail: { ...detail, imported },
    cause: cause ?? error,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}

function wantsProgress({ accept = '' }: IncomingHttpHeaders): boolean {
  return accept.split(',').some((part) => part.split(';')[0]?.trim().toLowerCase() === NDJSON);
}

/** One line a step. An error before the first of them is answered like any other. */
async function streamProgress(
  response: ServerResponse,
  start: (onProgress: (summary: Summary) => void) => ImportRun,
  finish: (run: ImportRun) => Promise<Summary>,
): Promise<void> {
  const writeLine = (line: object): void => {
    if (!response.headersSent) response.writeHead(200, { 'Content-Type': NDJSON });
    response.write(`${JSON.stringify(line)}\n`);
  };
  try {
    writeLine({ type: 'summary', ...(await finish(start((summary) => writeLine({ type: 'progress', ...summary })))) });
  } catch (error) {
    if (!response.headersSent) throw error;
    const { code, message, detail } = toClientError(error);
    writeLine({ type: 'error', error: { code, message, ...detail } });
  }
  response.end();
}
