import {
  classifyFailure,
  createGuardedFetch,
  createProviderPools,
  mayHaveBeenSent,
  parseRetryAfterMs,
  type AnswerLimits,
  type GuardedFetch,
} from '@steward/egress';
import { TRACKER_HOSTS, type TrackerKind } from './hosts.ts';
import { readFields, readList, readText } from './read-answer.ts';
import { TrackerError, type TrackerFault } from './tracker-error.ts';
import type { AskTracker, TrackerAccess, TrackerAnswer, TrackerHost, TrackerRequest } from './tracker-host.ts';

/** Connection data that is needed for requests. */
export interface TrackerTarget {
  readonly kind: TrackerKind;
  /** Base URL without a trailing slash. */
  readonly baseUrl: string;
  readonly username: string | null;
  readonly token: string;
  /** Further secrets that must be removed from responses and error messages if the tracker repeats them. */
  readonly hidden?: readonly string[];
}

export interface TrackerClient {
  /**
   * Returns an object that sends requests to a tracker.
   * @param signal - aborted when no caller waits for the result any longer
   */
  open(target: TrackerTarget, signal?: AbortSignal): TrackerAccess;
  close(): Promise<void>;
}

/** Limits of a response (LIM-98). */
const LIMITS: AnswerLimits = {
  maxBytes: 4 * 1024 * 1024,
  maxValues: 100_000,
  maxDepth: 200,
  maxEvents: 0,
  timeoutMs: 20_000,
};
const MAX_SAID = 300;
/** Minimum length of a secret that is removed from response bodies: a shorter secret may occur in a body by chance. */
const MIN_HIDDEN = 8;

/**
 * Creates the client for trackers at addresses that accounts entered: every address is checked when a network
 * connection is opened, and redirects are not followed.
 */
export function createTrackerClient(options: { readonly insecureOrigins: readonly string[] }): TrackerClient {
  const pools = createProviderPools({ ...options, agent: { connections: 16, headersTimeout: LIMITS.timeoutMs } });
  const fetch = createGuardedFetch(pools);
  return {
    open(target, signal) {
      const host = TRACKER_HOSTS[target.kind];
      return { ask: createAsk(fetch, { host, target, signal }), isCloud: target.username !== null };
    },
    close: () => pools.close(),
  };
}

interface Asking {
  readonly host: TrackerHost;
  readonly target: TrackerTarget;
  readonly signal: AbortSignal | undefined;
}

function createAsk(fetch: GuardedFetch, { host, target, signal }: Asking): AskTracker {
  const { baseUrl, token, username, hidden = [] } = target;
  const api = `${baseUrl}${host.findApiPath(new URL(`${baseUrl}/`), username !== null)}`;
  const headers = host.buildAuthorization(token, username);
  const basic = username === null ? [] : [Buffer.from(`${username}:${token}`).toString('base64')];
  const secrets = [...basic, token, ...hidden];
  const hide = createHide(secrets);
  const hideInBody = createHide(secrets.filter((secret) => secret.length >= MIN_HIDDEN));
  return async (request) => {
    const answer = await send(fetch, host, {
      url: buildUrl(api, request),
      request,
      headers,
      signal,
      hide: hideInBody,
    });
    const stated = host.findError?.(answer.body);
    if (stated !== undefined) throw stated;
    if (answer.status < 300) return answer;
    const isGone = request.method === 'DELETE' && (answer.status === 404 || answer.status === 410);
    if (isGone) return answer;
    throw describeRefusal(host, answer, hide);
  };
}

/** Returns a function that removes secrets from a string, also in JSON-escaped form. */
function createHide(secrets: readonly string[]): (text: string) => string {
  const forms = new Set(secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]));
  forms.delete('');
  return (text) => [...forms].reduce((left, form) => left.replaceAll(form, '[hidden]'), text);
}

function buildUrl(api: string, { path, query = {} }: TrackerRequest): URL {
  const url = new URL(`${api}${path}`);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value));
  return url;
}

interface Sending {
  readonly url: URL;
  readonly request: TrackerRequest;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal | undefined;
  readonly hide: (text: string) => string;
}

/**
 * Sends a request.
 * @throws TrackerError if there is no complete response
 */
async function send(
  fetch: GuardedFetch,
  { title }: TrackerHost,
  { url, request, headers, signal, hide }: Sending,
): Promise<TrackerAnswer> {
  const body = request.body === undefined ? undefined : JSON.stringify(request.body);
  const init = {
    method: request.method,
    headers: {
      accept: 'application/json',
      'user-agent': 'steward',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
    ...(signal === undefined ? {} : { signal }),
  };
  try {
    const answer = await fetch(url, init, LIMITS);
    return { status: answer.status, headers: answer.headers, body: parse(hide(await answer.text())) };
  } catch (error) {
    const failure = classifyFailure(error);
    const isDone = request.method !== 'GET' && mayHaveBeenSent(failure) ? ' The request may have taken effect.' : '';
    throw new TrackerError(`${title} could not be reached: ${failure.error}.${isDone}`, { fault: 'unreachable' });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const FAULTS: Readonly<Record<number, TrackerFault>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  410: 'not_found',
  429: 'rate_limited',
};

function describeRefusal(host: TrackerHost, answer: TrackerAnswer, hide: (text: string) => string): TrackerError {
  const { status, headers, body } = answer;
  const retryAfterMs = parseRetryAfterMs(headers.get('retry-after') ?? undefined, new Date());
  // A status of 403 from GitHub can also mean that a token has exceeded its rate limit.
  const isLimited = status === 403 && (headers.get('x-ratelimit-remaining') === '0' || headers.has('retry-after'));
  const fault = isLimited ? 'rate_limited' : (FAULTS[status] ?? (status >= 500 ? 'unavailable' : 'invalid'));
  const said = hide(readMessage(body)).slice(0, MAX_SAID);
  const words = said === '' ? '' : `: ${said.replace(/\.$/, '')}`;
  return new TrackerError(`${host.title} responded with ${status}${words}.`, {
    fault,
    status,
    retryAfterSeconds: retryAfterMs === undefined ? undefined : Math.ceil(retryAfterMs / 1000),
  });
}

/** Returns the message in a tracker's error body; empty for a body that is not JSON, such as an HTML page. */
function readMessage(body: unknown): string {
  const fields = readFields(body);
  const { message, error, errorMessages, errors } = fields;
  const parts = [
    typeof message === 'string' ? message : message === undefined ? '' : JSON.stringify(message),
    readText(fields, 'error_description') ?? (typeof error === 'string' ? error : ''),
    ...(Array.isArray(errorMessages) ? errorMessages.filter((text) => typeof text === 'string') : []),
    ...(Array.isArray(errors)
      ? readList(errors).map((each) => readText(each, 'message') ?? readText(each, 'code') ?? '')
      : Object.entries(readFields(errors)).map(([name, text]) => `${name}: ${String(text)}`)),
  ];
  return [...new Set(parts.filter((part) => part !== ''))].join('; ').replace(/\s+/g, ' ');
}
