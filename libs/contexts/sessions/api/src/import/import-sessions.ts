import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { AppError } from '@steward/contracts';
import { type AuditRecord, defineRoute, readMediaType, type Route, toClientError } from '@steward/http';
import { requireReach, type LargeBodyGate, type OpenRequests, readTime } from '@steward/api';
import { type SessionBatch, createBatchWriter, type BatchWriterDeps, type StoredBatch } from '@steward/sessions';
import { ImportQuery, ImportSummary } from './import-schemas.ts';
import { createImportRun, type ImportRun, type Summary } from './run-import.ts';

/** Maximum size of an import in bytes, after decompression (LIM-13). */
const IMPORT_LIMIT_BYTES = 64 * 1024 * 1024;

const NDJSON = 'application/x-ndjson';
const LINES: readonly string[] = [NDJSON, 'application/ndjson', 'application/jsonl', 'application/x-jsonlines'];

export interface ImportDeps extends BatchWriterDeps {
  readonly largeBodies: LargeBodyGate;
  readonly openRequests: Pick<OpenRequests, 'imports'>;
}

/** POST /api/v1/runtime-sessions/import: imports session files of agents in their original format. */
export function createImportSessionsRoute(deps: ImportDeps): Route {
  return defineRoute({
    operationId: 'importSessions',
    method: 'post',
    path: '/api/v1/runtime-sessions/import',
    openTo: ['agent_key'],
    permissions: ['manage_runtime_sessions'],
    summary: 'Import session files of agents in their original formats.',
    description:
      'Supported formats: Claude Code and Codex (transcripts and JSON output), Gemini CLI, OpenCode, Cursor, OpenAI and Anthropic (messages, logs, ' +
      'streams and batches), Vercel UI messages, LangSmith runs, and entries in the service’s own format. ' +
      'Importing the same file again adds nothing. Entries that were stored before an error remain stored. With `Accept: application/x-ndjson`, the response is a stream of ' +
      'lines: `{"type": "progress"}` during the import, then `summary` or `error`.',
    query: ImportQuery,
    bodyKind: 'stream',
    bodyMediaTypes: [NDJSON, 'application/json'],
    bodyLimitBytes: IMPORT_LIMIT_BYTES,
    responses: { 200: { description: 'Numbers of imported entries.', name: 'ImportSummary', schema: ImportSummary } },
    audit: { action: 'import', resourceType: 'runtime_session' },
    handler: async ({ query, headers, principal, traceparent, readParts, audit }) => {
      requireReach(principal, undefined);
      const kind = LINES.includes(readMediaType(headers, [...LINES, 'application/json'])) ? 'lines' : 'values';
      const endedAt = readTime(query.ended_at);
      const record = ({ sourceType, sourceId }: SessionBatch['head']): AuditRecord =>
        audit({ resourceId: null, details: { source_type: sourceType, first_source_id: sourceId } });
      const writer = createBatchWriter(deps, { principal, traceparent, endedAt, record, labels: query.label });
      const leave = deps.openRequests.imports.enter(principal);
      const start = (onProgress: (summary: Summary) => void): ImportRun =>
        createImportRun({
          parts: readParts(),
          kind,
          format: query.format,
          sourceId: query.session_source_id,
          now: () => endedAt ?? deps.clock.now(),
          inTurn: (chars, work) => deps.largeBodies.run(chars, principal.accountId, work),
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

function countBatch({ entries }: SessionBatch): Promise<StoredBatch> {
  return Promise.resolve({
    sessionId: undefined,
    created: false,
    stored: entries.length,
    copied: 0,
    replaced: 0,
    skipped: 0,
  });
}

/** Returns the error for the client, with the counts of the data that was stored before the error. */
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

/** Writes one line per step of an import. An error before the first step results in an ordinary error response. */
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
