import type { Component } from '@steward/process';

/**
 * Registry of the open streams of this process. When the process stops, the registry ends the streams, so that their
 * readers continue at another process.
 */
export interface ListenerStreams extends Component {
  /**
   * Registers a stream. The returned signal is aborted when the client has disconnected, when the stream has been open
   * for its maximum time, or when the process stops.
   */
  open(client: AbortSignal): { readonly signal: AbortSignal; close(): void };
}

/**
 * Maximum duration of a stream in milliseconds. After that, the reader opens a new stream, for which the credential is
 * checked again.
 */
const STREAM_MS = 3_600_000;

export function createListenerStreams(): ListenerStreams {
  const streams = new Set<AbortController>();
  let isStopped = false;
  return {
    name: 'listener streams',
    open(client) {
      const ending = new AbortController();
      const abort = (): void => ending.abort();
      const timer = setTimeout(abort, STREAM_MS);
      timer.unref();
      streams.add(ending);
      client.addEventListener('abort', abort, { once: true });
      if (client.aborted || isStopped) abort();
      return {
        signal: ending.signal,
        close() {
          clearTimeout(timer);
          streams.delete(ending);
          client.removeEventListener('abort', abort);
        },
      };
    },
    stop() {
      isStopped = true;
      for (const ending of streams) ending.abort();
      return Promise.resolve();
    },
  };
}
