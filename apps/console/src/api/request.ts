import { readAccessToken, renewSession } from '../auth/session.ts';
import { ApiError } from './api-error.ts';
import { openStream, send, type Method, type QueryValues, type SendOptions } from './send.ts';

/**
 * Sends one request as the signed-in user. An expired access token is renewed once; if the renewal is refused, the user
 * is signed out.
 * @throws ApiError
 */
export function request<Answer>(
  method: Method,
  path: string,
  options: Omit<SendOptions, 'accessToken'> = {},
): Promise<Answer> {
  return withToken((accessToken) => send<Answer>(method, path, { ...options, accessToken }));
}

/**
 * Creates a query function that reads this path; the request is aborted when the query is no longer used. @throws
 * ApiError
 */
export const read =
  <Answer>(path: string, query: QueryValues = {}) =>
  ({ signal }: { readonly signal: AbortSignal }): Promise<Answer> =>
    request<Answer>('GET', path, { query, signal });

/** Sends a request in the same way as `request`; returns the stream of the response. */
export function requestStream(
  path: string,
  options: Omit<Parameters<typeof openStream>[1], 'accessToken'>,
): Promise<ReadableStream<Uint8Array>> {
  return withToken((accessToken) => openStream(path, { ...options, accessToken }));
}

async function withToken<Answer>(ask: (accessToken: string | undefined) => Promise<Answer>): Promise<Answer> {
  const accessToken = readAccessToken();
  try {
    return await ask(accessToken);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    const renewed = await renewSession(accessToken);
    if (renewed === undefined) throw error;
    return ask(renewed);
  }
}
