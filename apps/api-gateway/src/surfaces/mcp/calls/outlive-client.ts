import type { McpCall } from '../tool.ts';

/** The maximum duration of a tool call. */
const MAX_RUN_MS = 600_000;

/**
 * Detaches an approved call from its client: a disconnect or a cancellation does not end the call, since it is never
 * repeated.
 */
export function outliveClient(call: McpCall): McpCall {
  const { reportProgress } = call;
  return {
    ...call,
    signal: AbortSignal.timeout(MAX_RUN_MS),
    // Reporting fails if the client has disconnected.
    reportProgress: reportProgress && ((progress) => reportProgress(progress).catch(() => undefined)),
  };
}
