/** Response of the API; its body has no fixed type, because the demo reads bodies of every shape. */
export interface ApiAnswer {
  readonly status: number;
  readonly body: Record<string, never> & Record<string, unknown>;
}

export interface Api {
  call(
    method: string,
    path: string,
    options?: { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> },
  ): Promise<ApiAnswer>;
  /** Returns the same API with a bearer credential. */
  withToken(token: string): Api;
}

export function createApi(baseUrl: string, token?: string): Api {
  return {
    async call(method, path, options = {}) {
      const response = await fetch(`${baseUrl}${path}`, {
        method,
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
          ...options.headers,
        },
        ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
      });
      const text = await response.text();
      return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as ApiAnswer['body'] };
    },
    withToken: (bearer) => createApi(baseUrl, bearer),
  };
}

/**
 * Returns the body of a response with this status.
 * @throws with the response if it has another status
 */
export async function requireStatus(status: number, answer: Promise<ApiAnswer>): Promise<ApiAnswer['body']> {
  const { status: given, body } = await answer;
  if (given !== status) throw new Error(`status ${status}, not ${given}: ${JSON.stringify(body)}`);
  return body;
}
