import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Agent, request } from 'undici';
import { retry } from '@steward/async';

/** Address of the cluster's API, and credentials for it. */
export interface ClusterAccess {
  /** URL of the API, for example https://10.96.0.1:443. */
  readonly url: string;
  /** Folder with `token` and `ca.crt`, as Kubernetes mounts it for a service account. */
  readonly credentials: string;
}

export interface KubernetesClient {
  /** Sends a request, and retries it if the failure may be temporary. @throws KubernetesError */
  call<T>(method: Method, path: string, body?: object): Promise<T>;
  /** Opens a streamed response. @throws KubernetesError */
  follow(path: string, signal: AbortSignal): Promise<Readable>;
  close(): void;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Thrown when the API refuses a request or cannot be reached. */
export class KubernetesError extends Error {
  /** Status of the response; 0 if there was no response. */
  readonly status: number;

  constructor(message: string, status: number, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'KubernetesError';
    this.status = status;
  }
}

const TIMEOUT_MS = 30_000;
/** Delays before the retries of a request: an API server that is being replaced is unavailable for some seconds. */
const DELAYS_MS: readonly number[] = [200, 1000, 3000];
const MAX_MESSAGE = 500;

/**
 * Creates a client for the cluster. @throws if the certificate of the cluster's certificate authority cannot be read
 */
export async function createKubernetesClient({ url, credentials }: ClusterAccess): Promise<KubernetesClient> {
  const ca = await readFile(join(credentials, 'ca.crt'), 'utf8');
  const agent = new Agent({
    connect: { ca, timeout: TIMEOUT_MS },
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
  });

  async function send(path: string, options: { method: Method; body?: object; signal?: AbortSignal }) {
    const { method, body, signal } = options;
    // The file is read for every request, because Kubernetes replaces the token in it before the token expires.
    const token = (await readFile(join(credentials, 'token'), 'utf8')).trim();
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const answer = await request(`${url}${path}`, {
      method,
      dispatcher: agent,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': type }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal, bodyTimeout: 0 }),
    }).catch((error: unknown) => {
      throw new KubernetesError(`${method} ${path}: ${describe(error)}`, 0, { cause: error });
    });
    if (answer.statusCode < 300) return answer.body;
    const text = await answer.body.text().catch(() => '');
    throw new KubernetesError(`${method} ${path}: ${answer.statusCode} ${readMessage(text)}`, answer.statusCode);
  }

  return {
    call: <T>(method: Method, path: string, body?: object) =>
      retry(
        async () => {
          const answer = await send(path, { method, ...(body === undefined ? {} : { body }) });
          return (await answer.json()) as T;
        },
        { delaysMs: DELAYS_MS, mayRetry: isPassing },
      ),
    follow: (path, signal) => send(path, { method: 'GET', signal }),
    close: () => void agent.destroy(),
  };
}

function isPassing(error: unknown): boolean {
  return !(error instanceof KubernetesError) || error.status === 0 || error.status === 429 || error.status >= 500;
}

function describe(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return message === '' ? String(code) : message;
}

/** Returns the message of a `Status`, the object with which the API describes refusals. */
function readMessage(text: string): string {
  try {
    const { message } = JSON.parse(text) as { message?: unknown };
    if (typeof message === 'string') return message.slice(0, MAX_MESSAGE);
  } catch {
    // A proxy in front of the API may respond with a text that is not JSON.
  }
  return text.slice(0, MAX_MESSAGE);
}
