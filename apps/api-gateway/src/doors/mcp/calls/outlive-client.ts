import type { McpCall } from '../tool.ts';

/** As long as any call of a tool may take. */
const MAX_RUN_MS = 600_000;

/** The call as it is made once people said yes: a client that leaves or cancels does not end it, since it is never made again. */
export function outliveClient(call: McpCall): McpCall {
  const { reportProgress } = call;
  return {
    ...call,
    signal: AbortSignal.timeout(MAX_RUN_MS),
    // Whom it is told may be gone.
    reportProgress: reportProgress && ((progress) => reportProgress(progress).catch(() => undefined)),
  };
}
