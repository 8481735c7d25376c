import type { Readable } from 'node:stream';

/** Calls `then` when a stream is closed; one that is closed already emits no event. */
export function whenClosed(stream: Readable, then: () => void): void {
  if (stream.closed) then();
  // `on` is used although the event is emitted once: `once` would keep a wrapper for each open stream.
  else stream.on('close', then);
}
