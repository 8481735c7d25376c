import type { McpCall } from '../tool.ts';

/** The maximum duration of a tool call. */
const MAX_RUN_MS = 600_000;

/** The call as it is made once people said yes: a client that leaves or cancels does not end it, since it is never made again. */
export function outliveClient(call: McpCall): McpCall {
  const { reportProgress } = call;
  return {
    ...call,
    signal: AbortSignal.timeout(MAX_RUN_MS),
    // The client may have disconnected.
    reportProgress: reportProgress && ((progress) => reportProgress(progress).catch(() => undefined)),
  };
}
