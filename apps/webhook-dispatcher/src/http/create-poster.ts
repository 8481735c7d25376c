import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Agent, type Dispatcher } from 'undici';
import {
  classifyFailure,
  createGuardedConnector,
  type GuardedConnector,
  type ResolveAll,
  type TargetGuard,
} from '@steward/egress';
import { classifyStatus, type ErrorClass } from './classify-status.ts';
import { createAnswerKeeper } from './keep-answer.ts';
import { skipContinue } from './skip-continue.ts';

export interface PostRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Whether the beginning of the response body is needed; the result then waits for it. */
  readonly keepsAnswer?: boolean;
}

/**
 * Timings and outcome of one POST. Timings are in milliseconds; a timing is null if the attempt did not reach the step
 * that the timing measures, or skipped this step, for example because the connection was reused.
 */
export interface PostResult {
  readonly succeeded: boolean;
  readonly responseStatus: number | null;
  readonly error: string | null;
  readonly errorClass: ErrorClass | null;
  readonly durationMs: number;
  readonly dnsMs: number | null;
  readonly connectMs: number | null;
  readonly tlsMs: number | null;
  readonly firstByteMs: number | null;
  readonly remoteAddress: string | null;
  /** `Retry-After` header of a response that is not 2xx. */
  readonly retryAfter: string | null;
  /** The beginning of the response body; null if it was not requested, is empty, or is compressed. */
  readonly answer: Buffer | null;
}

export interface Poster {
  /** Makes one POST. Never rejects. */
  post(request: PostRequest): Promise<PostResult>;
  close(): Promise<void>;
}

export interface PosterOptions {
  readonly timeoutMs: number;
  readonly guard: TargetGuard | undefined;
  /** The only ports that are allowed; undefined or empty allows every port. */
  readonly allowedPorts?: readonly number[];
  readonly resolve?: ResolveAll;
  readonly certificateAuthority?: string | undefined;
}

/**
 * Number of bytes of a response body that are read to keep the connection usable; if the body is longer, or does not
 * end within `DRAIN_MS`, the connection is closed.
 */
const DRAIN_BYTES = 16 * 1024;
const DRAIN_MS = 1000;
const MAX_HEADER_BYTES = 16 * 1024;
const KEEP_ALIVE_MS = 4000;

type Verdict = Pick<PostResult, 'succeeded' | 'responseStatus' | 'error' | 'errorClass'> & {
  readonly retryAfter?: string | null;
};

/** Facts of one attempt that are only available on the socket. */
interface Trace {
  socket?: PostSocket;
  reused?: boolean;
}

/**
 * Creates the poster, which has one pool of keep-alive connections. The time limit covers everything up to the status
 * line, including DNS; the result is available with the status line and does not wait for the body, unless the
 * beginning of the body is needed. Redirects are not followed, and nothing is decompressed.
 */
export function createPoster(options: PosterOptions): Poster {
  const connector = createGuardedConnector({ ...options, onSocket: skipContinue });
  const agent = new Agent({
    connect: connector.connect,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    // The attempt's own timer, which covers more steps, is used instead of these two timeouts.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const tracing = startTracing();
  return {
    post: (request) => post({ agent, connector, tracing, timeoutMs: options.timeoutMs }, request),
    async close() {
      tracing.stop();
      await agent.destroy();
    },
  };
}

interface PostDeps {
  readonly agent: Agent;
  readonly connector: GuardedConnector;
  readonly tracing: Tracing;
  readonly timeoutMs: number;
}

function post(deps: PostDeps, request: PostRequest): Promise<PostResult> {
  const { agent, connector, tracing, timeoutMs } = deps;
  const startedAt = performance.now();
  const trace: Trace = {};
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | undefined;
    let finished = false;
    let drained = 0;
    let resent = false;
    let timer = setTimeout(expire, timeoutMs);
    const keeper = createAnswerKeeper();

    function finish(outcome: Verdict): void {
      if (finished) return;
      finished = true;
      clearTimeout(timer);
      const now = performance.now();
      const answered = outcome.responseStatus !== null;
      const facts = readTrace(trace, connector, { startedAt, now, answered });
      keeper.hold((answer) => resolve({ retryAfter: null, ...outcome, ...facts, answer }));
    }
    function expire(): void {
      finish(describeExpiry(trace, timeoutMs));
      stop();
    }
    function end(): void {
      clearTimeout(timer);
      keeper.end();
    }
    function stop(): void {
      end();
      controller?.abort(new Error('the rest of the response is not needed'));
    }
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        controller = started;
        // The time ran out while the connection was being opened.
        if (finished) stop();
      },
      onResponseStart(_controller, status, headers) {
        if (status < 200) return;
        const succeeded = status < 300;
        // The body is not stored if it is compressed.
        if (request.keepsAnswer === true && headers['content-encoding'] === undefined) keeper.begin();
        const failure = succeeded
          ? { error: null, errorClass: null }
          : { ...classifyStatus(status), retryAfter: readText(headers['retry-after']) };
        finish({ succeeded, responseStatus: status, ...failure });
        timer = setTimeout(stop, DRAIN_MS);
      },
      onResponseData(_controller, chunk) {
        drained += chunk.byteLength;
        keeper.add(chunk);
        if (drained > DRAIN_BYTES) stop();
      },
      onResponseEnd: end,
      onResponseError(_controller, error) {
        if (!finished && !resent && isUnsent(trace, error)) {
          resent = true;
          send();
          return;
        }
        end();
        finish({ succeeded: false, responseStatus: null, ...classifyFailure(error) });
      },
    };
    const url = new URL(request.url);
    function send(): void {
      const { headers, body } = request;
      const path = `${url.pathname}${url.search}`;
      tracing.follow(trace, () => {
        agent.dispatch({ origin: url.origin, path, method: 'POST', headers, body }, handler);
      });
    }
    send();
  });
}

/**
 * Describes an expired time limit. If a socket was assigned, the receiver has accepted the connection and is slow to
 * respond.
 */
function describeExpiry({ socket }: Trace, timeoutMs: number): Verdict {
  const waited = socket !== undefined;
  const seconds = timeoutMs / 1000;
  return {
    succeeded: false,
    responseStatus: null,
    errorClass: waited ? 'timeout' : 'connect_timeout',
    error: waited ? `no response within ${seconds} s` : `no connection within ${seconds} s`,
  };
}

/**
 * Returns true if a connection, usually a reused one, broke before a byte of the request was sent. The receiver cannot
 * have received the request, so the request is sent again on another connection within the same attempt. If a byte was
 * sent before the connection broke, the attempt has failed.
 */
function isUnsent(trace: Trace, error: Error): boolean {
  return trace.socket === undefined && classifyFailure(error).errorClass === 'connection_lost';
}

/** Returns the value of a header; null if it is missing, or repeated and therefore ambiguous. */
function readText(header: string | string[] | undefined): string | null {
  return typeof header === 'string' ? header : null;
}

interface Moments {
  readonly startedAt: number;
  readonly now: number;
  readonly answered: boolean;
}

function readTrace(trace: Trace, connector: GuardedConnector, { startedAt, now, answered }: Moments) {
  const times = trace.socket === undefined || trace.reused === true ? undefined : connector.readTimes(trace.socket);
  const span = (from: number | undefined, to: number | undefined): number | null =>
    from === undefined || to === undefined ? null : Math.max(0, Math.round(to - from));
  return {
    durationMs: Math.round(now - startedAt),
    dnsMs: span(times?.startedAt, times?.resolvedAt),
    connectMs: span(times?.resolvedAt ?? times?.startedAt, times?.connectedAt),
    tlsMs: span(times?.connectedAt, times?.securedAt),
    firstByteMs: answered ? Math.round(now - startedAt) : null,
    remoteAddress: trace.socket?.remoteAddress ?? null,
  };
}

interface Tracing {
  /** Associates `trace` with the request that `dispatch` sends synchronously. */
  follow(trace: Trace, dispatch: () => void): void;
  stop(): void;
}

/**
 * Key of the property that marks a socket of undici as used; reading it is cheaper than a look-up in a weak collection
 * per post.
 */
const USED = Symbol('used');
/** Request of undici; the property with the key of the poster contains the trace of the post. */
type Traced = Record<symbol, Trace | undefined>;
interface PostSocket {
  readonly remoteAddress?: string | undefined;
  [USED]?: boolean;
}

/**
 * Determines from undici's diagnostics channels which socket carries which request; the dispatch API does not report
 * it. The channels report the requests of all posters: each poster marks and reads only its own requests.
 */
function startTracing(): Tracing {
  const traceKey = Symbol('trace');
  let current: Trace | undefined;
  const onCreate = (message: unknown): void => {
    if (current !== undefined) (message as { request: Traced }).request[traceKey] = current;
  };
  const onSend = (message: unknown): void => {
    const { request, socket } = message as { request: Traced; socket: PostSocket };
    const trace = request[traceKey];
    if (trace === undefined) return;
    trace.socket = socket;
    trace.reused = socket[USED] === true;
    socket[USED] = true;
  };
  subscribe('undici:request:create', onCreate);
  subscribe('undici:client:sendHeaders', onSend);
  return {
    follow(trace, dispatch) {
      current = trace;
      try {
        dispatch();
      } finally {
        current = undefined;
      }
    },
    stop() {
      unsubscribe('undici:request:create', onCreate);
      unsubscribe('undici:client:sendHeaders', onSend);
    },
  };
}
