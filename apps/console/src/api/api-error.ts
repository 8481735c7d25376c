/** An error response of the API, or an error without a response (`status` 0). */
export class ApiError extends Error {
  readonly status: number;
  /**
   * Code from docs/contract/errors.md; `unreachable` if there was no response, `page_error` if the page itself failed,
   * `unknown` if the response contains no code.
   */
  readonly code: string;
  /** Field of the request's body or query, if the error names one. */
  readonly field: string | undefined;
  /** All members of the `detail` of the error. */
  readonly detail: Readonly<Record<string, unknown>>;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    facts: {
      readonly status: number;
      readonly code: string;
      readonly message: string;
      readonly detail?: Readonly<Record<string, unknown>>;
      readonly requestId?: string | undefined;
      readonly retryAfterSeconds?: number | undefined;
    },
    options?: ErrorOptions,
  ) {
    super(facts.message, options);
    this.status = facts.status;
    this.code = facts.code;
    this.detail = facts.detail ?? {};
    this.field = typeof this.detail['field'] === 'string' ? this.detail['field'] : undefined;
    this.requestId = facts.requestId;
    this.retryAfterSeconds = facts.retryAfterSeconds;
  }
}

/** Converts any thrown value to an error that can be shown. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const message = error instanceof Error ? error.message : 'This page failed unexpectedly.';
  return new ApiError({ status: 0, code: 'page_error', message }, { cause: error });
}

interface ErrorBody {
  readonly detail?: { readonly code?: string; readonly message?: string } & Readonly<Record<string, unknown>>;
  readonly request_id?: string;
}

export async function readError(response: Response): Promise<ApiError> {
  const body = await readBody(response);
  const retryAfter = Number(response.headers.get('retry-after'));
  return new ApiError({
    status: response.status,
    code: body.detail?.code ?? 'unknown',
    message: body.detail?.message ?? `The service responded with status ${response.status}.`,
    detail: body.detail ?? {},
    requestId: body.request_id ?? response.headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: retryAfter > 0 ? retryAfter : undefined,
  });
}

/**
 * Reads the body of an error response. Returns an empty body if the response is not JSON, because a proxy in front of
 * the service may return its own pages.
 */
async function readBody(response: Response): Promise<ErrorBody> {
  try {
    return (await response.json()) as ErrorBody;
  } catch {
    return {};
  }
}
