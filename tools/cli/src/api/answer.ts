import { refuse } from '../exit-codes.ts';
import { endRequestTime } from './request-time.ts';
import { cleanText } from '../output.ts';

/** Maximum size of a response after decompression: eight times that of the largest page. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Parses a JSON response; anything else (a proxy's error page) becomes an empty body. */
export async function readAnswer(response: Response): Promise<Answer> {
  const text = await readText(response).finally(() => endRequestTime(response));
  try {
    const body: unknown = JSON.parse(text);
    if (body !== null && typeof body === 'object') return { status: response.status, body: body as Answer['body'] };
  } catch {
    // The response is described only by its status.
  }
  return { status: response.status, body: {} };
}

async function readText({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let size = 0;
  for await (const part of body ?? []) {
    size += part.byteLength;
    if (size > MAX_ANSWER_BYTES) throw refuse('The response of the service is larger than 64 MiB.');
    parts.push(decoder.decode(part, { stream: true }));
  }
  return parts.join('') + decoder.decode();
}

/**
 * Returns the service's message, its code, and the request id with which the request can be found in the service's log.
 */
export function describeRefusal({ status, body }: Answer): string {
  const detail = (body.detail ?? {}) as { code?: unknown; message?: unknown };
  const requestId = typeof body.request_id === 'string' ? `, request ${body.request_id}` : '';
  const message = typeof detail.message === 'string' ? detail.message : 'The service refused the request.';
  const code = typeof detail.code === 'string' ? `${detail.code}, ` : '';
  return cleanText(`${message} (${code}HTTP ${status}${requestId})`);
}
