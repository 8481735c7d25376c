import type { IncomingMessage, ServerResponse } from 'node:http';

/** Returns a signal that is aborted if the client disconnects before its response has been sent. */
export function followClient(request: IncomingMessage, response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const abort = (): void => controller.abort(new Error('client disconnected'));
  // `on` is used although the event is emitted only once: `once` would create a wrapper for each request.
  response.on('close', () => {
    if (!response.writableFinished) abort();
  });
  // The client may have disconnected while its body was read.
  if ((response.closed && !response.writableFinished) || (request.destroyed && !request.complete)) abort();
  return controller.signal;
}
