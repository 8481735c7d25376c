import type { ErrorBody } from './__generated__/types.gen.ts';

/** An error response of the service, or a missing response. */
export class StewardError extends Error {
  /**
   * Stable code to switch on, such as `not_found` or `budget_exceeded`; `unexpected_answer` if an error response has no
   * code; without a response, `unreachable`, `timeout` or `wait_timeout`.
   */
  readonly code: string;
  /** HTTP status; 0 without a response. */
  readonly status: number;
  /** Id of the request in the logs of the service. */
  readonly requestId: string | undefined;
  /** Details of the error, such as `field`, `permission` and `limit`. */
  readonly detail: ErrorBody['detail'];

  constructor(status: number, detail: ErrorBody['detail'], requestId?: string, options?: ErrorOptions) {
    super(detail.message, options);
    this.name = 'StewardError';
    this.status = status;
    this.code = detail.code;
    this.detail = detail;
    this.requestId = requestId;
  }
}

/**
 * Reads the error from a response. If the response contains none, for example because a proxy sent it, the error has
 * the status of the response and the code `unexpected_answer`.
 */
export async function readError(response: Response): Promise<StewardError> {
  const text = await response.text().catch(() => '');
  const body = parseError(text);
  const detail = body?.detail ?? {
    code: 'unexpected_answer',
    message: `The service responded with ${response.status}.`,
  };
  return new StewardError(
    response.status,
    detail,
    body?.request_id ?? response.headers.get('x-request-id') ?? undefined,
  );
}

function parseError(text: string): ErrorBody | undefined {
  try {
    const body = JSON.parse(text) as Partial<ErrorBody> | null;
    return typeof body?.detail?.code === 'string' ? (body as ErrorBody) : undefined;
  } catch {
    return undefined;
  }
}
