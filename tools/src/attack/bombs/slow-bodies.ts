import { connect } from 'node:net';
import { once } from 'node:events';

/** Request whose remaining bytes arrive one per second. */
export interface SlowRequest {
  readonly name: string;
  /** Returns the part that is sent immediately. */
  readonly begin: (bearer: string) => string;
  /** Time within which the service must close the connection (LIM-19 and the server's own timeout). */
  readonly endsWithinMs: number;
}

const BYTE_MS = 1000;
/** Time limits: 60 s for a request and 15 s for its headers, checked every second, plus a margin for a busy machine. */
const [BODY_MS, HEADERS_MS] = [70_000, 25_000];

function slowBody(path: string, contentType: string): SlowRequest {
  const head = (bearer: string): string =>
    [
      `POST ${path} HTTP/1.1`,
      'Host: 127.0.0.1',
      `Authorization: Bearer ${bearer}`,
      `Content-Type: ${contentType}`,
      'Content-Length: 1000',
      '',
      '{',
    ].join('\r\n');
  return { name: `a body at ${path}`, begin: head, endsWithinMs: BODY_MS };
}

/** Slow requests, one for every protocol of the service. */
export const SLOW_REQUESTS: readonly SlowRequest[] = [
  { name: 'headers', begin: () => 'POST /mcp/v1 HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ', endsWithinMs: HEADERS_MS },
  slowBody('/openai/v1/chat/completions', 'application/json'),
  slowBody('/mcp/v1', 'application/json'),
  slowBody('/otlp/v1/traces', 'application/x-protobuf'),
  slowBody('/api/v1/runtime-sessions', 'application/json'),
  slowBody('/api/v1/runtime-sessions/import?format=claude_code', 'application/x-ndjson'),
  slowBody('/api/v1/policies/validate', 'application/yaml'),
];

/**
 * Sends one byte per second until the service closes the connection.
 * @returns true if it did so in time
 */
export async function sendSlowly(url: string, request: SlowRequest, bearer: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined).resume();
  socket.write(request.begin(bearer));
  const timer = setInterval(() => socket.write('x'), BYTE_MS);
  const timeout = AbortSignal.timeout(request.endsWithinMs);
  try {
    await once(socket, 'close', { signal: timeout });
    return true;
  } catch {
    return false;
  } finally {
    clearInterval(timer);
    socket.destroy();
  }
}
