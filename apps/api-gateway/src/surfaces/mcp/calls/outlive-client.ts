import type { McpCall } from '../tool.ts';

/** The maximum duration of a tool call. */
const MAX_RUN_MS = 600_000;

/**
 * Detaches an approved call from its client. A disconnect or a cancellation does not end the call, because an approved
 * call is never repeated.
 */
export function outliveClient(call: McpCall): McpCall {
  const { reportProgress } = call;
  return {
    ...call,
    signal: AbortSignal.timeout(MAX_RUN_MS),
    // Progress cannot be reported to a client that has disconnected; the error is ignored.
    reportProgress: reportProgress && ((progress) => reportProgress(progress).catch(() => undefined)),
  };
}
