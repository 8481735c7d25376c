import type { AppError } from '@steward/contracts';
import { defineRoute, readMediaType, type AnswerError, type Surface, type Route } from '@steward/http';
import { encodeStatus, encodeTraceAnswer, MEDIA_TYPES, readEncoding } from '@steward/otlp';
import type { Metrics } from '@steward/process';
import { requireReach, guessSize, type LargeBodyGate, type OpenRequests } from '@steward/api';
import { createBatchWriter, type BatchWriterDeps } from '@steward/sessions';
import { describePartial, readTraceRequest } from './read-trace-request.ts';
import { storeSpans } from './store-spans.ts';

export interface OpenTelemetryDeps extends BatchWriterDeps {
  readonly metrics: Metrics;
  readonly largeBodies: LargeBodyGate;
  readonly openRequests: Pick<OpenRequests, 'traces'>;
}

/** Maximum size of a body after decompression (LIM-13). */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** Opens the surface for exporters of OpenTelemetry: traces become sessions (docs/contract/opentelemetry.md). */
export function openOpenTelemetry(deps: OpenTelemetryDeps): Surface {
  return { prefix: '/otlp', routes: [createTracesRoute(deps)], answerError, auditSource: 'console' };
}

function createTracesRoute(deps: OpenTelemetryDeps): Route {
  const spans = deps.metrics.counter('steward_otlp_spans_total', 'Received spans, by outcome.', ['outcome']);
  const unread = deps.metrics.counter(
    'steward_otlp_unread_spans_total',
    'Spans of agents whose content is in attributes that are not read, by semantic convention.',
    ['convention'],
  );
  return defineRoute({
    operationId: 'takeTraces',
    method: 'post',
    path: '/otlp/v1/traces',
    openTo: ['agent_key'],
    permissions: ['manage_runtime_sessions'],
    tag: 'runtime sessions',
    summary: 'Receive traces of agents from OpenTelemetry exporters.',
    description:
      'The request is OTLP/HTTP in protobuf or JSON. Model calls, tool calls and agent turns become entries of ' +
      'sessions; other spans are ignored. Sending the same data again adds nothing. Errors are returned as a google.rpc.Status in the encoding of the request.',
    // Exporters send requests to a configured address, which may contain a query.
    ignoresQuery: true,
    bodyKind: 'json-later',
    bodyMediaTypes: Object.values(MEDIA_TYPES),
    bodyLimitBytes: MAX_BODY_BYTES,
    responses: {
      200: {
        description: 'An ExportTraceServiceResponse, in the encoding of the request.',
        mediaType: MEDIA_TYPES.protobuf,
        otherMediaTypes: [MEDIA_TYPES.json],
      },
    },
    errorMediaTypes: Object.values(MEDIA_TYPES),
    unaudited: 'Agents write sessions; the session is the record.',
    handler: async ({ principal, headers, readBody, traceparent }) => {
      requireReach(principal, undefined);
      readMediaType(headers, Object.values(MEDIA_TYPES));
      const encoding = readEncoding(headers['content-type']);
      const leave = deps.openRequests.traces.enter(principal);
      try {
        // A request with a large body waits for a slot before its body is read.
        return await deps.largeBodies.run(guessSize(headers), principal.accountId, async () => {
          const request = readTraceRequest(await readBody(), encoding);
          spans.inc({ outcome: 'rejected' }, request.rejected);
          spans.inc({ outcome: 'ignored' }, request.ignored);
          const writer = createBatchWriter(deps, { principal, traceparent });
          const { accountId } = principal;
          await storeSpans(request.spans, { db: deps.db, accountId, writer, now: () => deps.clock.now() });
          spans.inc({ outcome: 'taken' }, request.spans.length);
          for (const { convention } of request.unread) unread.inc({ convention });
          const errorMessage = describePartial(request);
          const partial = errorMessage === undefined ? undefined : { rejectedSpans: request.rejected, errorMessage };
          const bytes = encodeTraceAnswer(encoding, partial);
          return { status: 200, bytes, mediaType: MEDIA_TYPES[encoding] };
        });
      } finally {
        leave();
      }
    },
  });
}

/** Returns the response to an exporter for an error. Exporters repeat requests after 429 and 503 (OTLP-6). */
const answerError: AnswerError = (error: AppError, _requestId, headers) => {
  const encoding = readEncoding(headers['content-type']);
  // Exporters get a 400 for any invalid request, also where the API would return 422.
  const status = error.status === 422 ? 400 : error.status;
  return { status, bytes: encodeStatus(encoding, status, error.message), mediaType: MEDIA_TYPES[encoding] };
};
