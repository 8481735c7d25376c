import type { McpCall } from '../tool.ts';

/** The maximum duration of a tool call. */
const MAX_RUN_MS = 600_000;

/** The approved call: a client that disconnects or cancels does not end it, since it is never repeated. */
export function outliveClient(call: McpCall): McpCall {
  const { reportProgress } = call;
  return {
    ...call,
    signal: AbortSignal.timeout(MAX_RUN_MS),
    // The client may have disconnected.
    reportProgress: reportProgress && ((progress) => reportProgress(progress).catch(() => undefined)),
  };
}
