import { endRequestTime } from './request-time.ts';
import { cleanText } from '../output.ts';

export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Reads a JSON answer; anything else (a proxy's error page) becomes an empty body. */
export async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text().finally(() => endRequestTime(response));
  try {
    const body: unknown = JSON.parse(text);
    if (body !== null && typeof body === 'object') return { status: response.status, body: body as Answer['body'] };
  } catch {
    // Described by its status alone.
  }
  return { status: response.status, body: {} };
}

/** The service's own sentence, its code and the request id for whoever reads the service's log. */
export function describeRefusal({ status, body }: Answer): string {
  const detail = (body.detail ?? {}) as { code?: unknown; message?: unknown };
  const requestId = typeof body.request_id === 'string' ? `, request ${body.request_id}` : '';
  const message = typeof detail.message === 'string' ? detail.message : 'The service refused the request.';
  const code = typeof detail.code === 'string' ? `${detail.code}, ` : '';
  return cleanText(`${message} (${code}HTTP ${status}${requestId})`);
}
