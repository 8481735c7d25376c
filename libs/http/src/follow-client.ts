import type { IncomingMessage, ServerResponse } from 'node:http';

/** Aborted if the client disconnects before its response was sent. */
export function followClient(request: IncomingMessage, response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const abort = (): void => controller.abort(new Error('client disconnected'));
  // Emitted once; `once` would cost a wrapper per request.
  response.on('close', () => {
    if (!response.writableFinished) abort();
  });
  // The client may have disconnected while its body was read.
  if ((response.closed && !response.writableFinished) || (request.destroyed && !request.complete)) abort();
  return controller.signal;
}
