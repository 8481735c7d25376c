import { setTimeout as delay } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { StoreError } from '../object-store.ts';
import { locateObject } from './locate-object.ts';
import { readElement } from './read-listing.ts';
import { readStart } from './read-start.ts';
import type { S3Options } from './s3-options.ts';
import type { UploadBody } from './upload-body.ts';

export interface S3Request {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  readonly key?: string;
  readonly search?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Opens the body; called once for each attempt. */
  readonly openBody?: () => UploadBody;
  readonly signal?: AbortSignal | undefined;
}

/** SHA-256 of an empty body, used to sign requests without a body. */
const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const MAX_FAILURE_BYTES = 16 * 1024;
const DEFAULT_DELAYS_MS = [200, 600, 1800];

/**
 * Maximum number of attempts that time out: the request is retried only once after a time-out, because a caller waits
 * for the response.
 */
const MAX_TIMEOUTS = 2;

type Attempt =
  | { readonly kind: 'answered'; readonly response: Response }
  | { readonly kind: 'failed'; readonly error: StoreError; readonly isTimeout: boolean };

/**
 * Signs and sends a request, with retries while the server is unreachable, overloaded or failing. Returns a 2xx
 * response, or 404 if an object does not exist.
 * @throws StoreError: refused, or unreachable after the last attempt
 */
export async function sendRequest(options: S3Options, request: S3Request): Promise<Response> {
  const delays = options.retryDelaysMs ?? DEFAULT_DELAYS_MS;
  let timeouts = 0;
  for (let attempt = 0; ; attempt += 1) {
    const outcome = await attemptRequest(options, request);
    if (outcome.kind === 'answered') return outcome.response;
    const pause = delays[attempt];
    if (outcome.isTimeout) timeouts += 1;
    const isOver = pause === undefined || timeouts >= MAX_TIMEOUTS || request.signal?.aborted === true;
    if (outcome.error.kind === 'refused' || isOver) throw outcome.error;
    await delay(pause * (0.5 + Math.random()), undefined, { signal: request.signal }).catch(() => undefined);
  }
}

async function attemptRequest(options: S3Options, request: S3Request): Promise<Attempt> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), options.timeoutMs);
  const body = request.openBody?.();
  // The time limit restarts with each chunk of the body, because an upload in progress is not stalled.
  body?.onProgress(() => timer.refresh());
  try {
    const signed = await sign(options, request);
    // This header is not signed, because some servers change it. Compression in transit would change the length of an
    // object.
    signed.headers.set('accept-encoding', 'identity');
    const signals = request.signal === undefined ? [timeout.signal] : [timeout.signal, request.signal];
    const response = await fetch(signed.url, {
      method: request.method,
      headers: signed.headers,
      // Redirects are not followed, so that credentials are sent only to the configured server.
      redirect: 'manual',
      signal: AbortSignal.any(signals),
      ...(body === undefined ? {} : { body: body.stream as unknown as ReadableStream, duplex: 'half' as const }),
    });
    if (isPacked(response)) return await refusePacked(request, response);
    return response.ok ? { kind: 'answered', response } : await readFailure(request, response);
  } catch (error) {
    const isTimeout = timeout.signal.aborted;
    const reason = isTimeout ? `nothing received for ${options.timeoutMs} ms` : describeFailure(error);
    return {
      kind: 'failed',
      isTimeout,
      error: new StoreError('unreachable', `the object store did not respond to a ${request.method}: ${reason}`, {
        cause: error,
      }),
    };
  } finally {
    clearTimeout(timer);
    body?.stream.destroy();
  }
}

function sign(options: S3Options, { method, key, search, headers }: S3Request) {
  const { accessKeyId, secretAccessKey, sessionToken, region } = options;
  return new AwsV4Signer({
    method,
    url: locateObject(options, key, search).href,
    headers: { 'x-amz-content-sha256': EMPTY_SHA256, ...headers },
    accessKeyId,
    secretAccessKey,
    service: 's3',
    region,
    ...(sessionToken === undefined ? {} : { sessionToken }),
  }).sign();
}

/**
 * Returns whether a body is compressed. `fetch` decompresses such a body: an object would then not have the length that
 * its header states, and a response could have any length.
 */
function isPacked({ headers }: Response): boolean {
  return !['', 'identity'].includes((headers.get('content-encoding') ?? '').trim().toLowerCase());
}

async function refusePacked({ method }: S3Request, response: Response): Promise<Attempt> {
  await response.body?.cancel();
  const error = new StoreError('refused', `the object store compressed its response to a ${method}`);
  return { kind: 'failed', error, isTimeout: false };
}

/**
 * Reads the error of a response; a 404 for an object is not an error. Only the code of the error is used, because its
 * message repeats what was signed and by whom.
 */
async function readFailure(request: S3Request, response: Response): Promise<Attempt> {
  const code = readElement(await readStart(response, MAX_FAILURE_BYTES), 'Code') ?? '';
  if (response.status === 404 && request.key !== undefined && request.method !== 'PUT' && code !== 'NoSuchBucket')
    return { kind: 'answered', response };
  const answer = `${response.status} ${/^\w{1,64}$/.test(code) ? code : ''}`.trim();
  const isPassing = response.status >= 500 || [408, 409, 429].includes(response.status) || code === 'RequestTimeout';
  const error = isPassing
    ? new StoreError('unreachable', `the object store responded to a ${request.method} with an error: ${answer}`)
    : new StoreError('refused', `the object store refused a ${request.method}: ${answer}`);
  return { kind: 'failed', error, isTimeout: false };
}

/**
 * Returns the code or the name of an error without its message, because the message about an invalid header would
 * repeat the header.
 */
function describeFailure(error: unknown): string {
  const { code } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
  return code ?? (error as Error).name;
}
