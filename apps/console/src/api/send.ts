import { ApiError, readError } from './api-error.ts';
import { noteLostConnection } from './connection.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export type QueryValues = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

export interface SendOptions {
  readonly query?: QueryValues;
  /** Body that is sent as JSON. */
  readonly body?: unknown;
  /** YAML document that is sent unchanged, instead of `body`. */
  readonly yaml?: string;
  /** The version that the change is based on; if it is no longer current, the request is refused. */
  readonly ifMatch?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Whether the request is sent even if the user leaves the page. */
  readonly keepalive?: boolean;
  /** Access token; without one the request is not authenticated. */
  readonly accessToken?: string | undefined;
}

/**
 * Sends a request; returns the stream of the response. @throws ApiError if the request is refused or fails; if `signal`
 * is aborted, throws the reason of the abort
 */
export async function openStream(
  path: string,
  { accessToken, signal, headers }: Pick<SendOptions, 'accessToken' | 'signal'> & { readonly headers: HeadersInit },
): Promise<ReadableStream<Uint8Array>> {
  const all = new Headers(headers);
  if (accessToken !== undefined) all.set('authorization', `Bearer ${accessToken}`);
  const response = await fetchOrFail(path, { headers: all, ...(signal === undefined ? {} : { signal }) });
  if (!response.ok || response.body === null) throw await readError(response);
  return response.body;
}

/**
 * Sends one request to the API of this page's origin. @throws ApiError for an error response or a missing response; if
 * `signal` is aborted, throws the reason of the abort
 */
export async function send<Answer>(method: Method, path: string, options: SendOptions = {}): Promise<Answer> {
  const { body, yaml, ifMatch, accessToken } = options;
  const [type, text] = yaml === undefined ? ['application/json', JSON.stringify(body)] : ['application/yaml', yaml];
  const response = await fetchOrFail(buildUrl(path, options.query), {
    method,
    headers: {
      accept: 'application/json',
      ...(text === undefined ? {} : { 'content-type': type }),
      ...(ifMatch === undefined ? {} : { 'if-match': `"${ifMatch}"` }),
      ...(accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` }),
    },
    ...(text === undefined ? {} : { body: text }),
    ...(options.keepalive === true ? { keepalive: true } : {}),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  if (!response.ok) throw await readError(response);
  return (response.status === 204 ? undefined : await response.json()) as Answer;
}

async function fetchOrFail(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, credentials: 'same-origin', cache: 'no-store' });
  } catch (cause) {
    // An aborted request, for example because the user left the screen, does not mark the connection as lost.
    if (init.signal?.aborted === true) throw cause;
    noteLostConnection();
    throw new ApiError({ status: 0, code: 'unreachable', message: 'The service is not responding.' }, { cause });
  }
}

export function buildUrl(path: string, query: QueryValues = {}): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === '') continue;
    for (const one of Array.isArray(value) ? value : [value]) params.append(name, String(one));
  }
  const text = params.toString();
  return text === '' ? path : `${path}?${text}`;
}
