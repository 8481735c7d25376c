import { useSessions } from './session-tests.ts';

/** A span in the JSON form of OTLP. */
export interface JsonSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly parentSpanId?: string;
  readonly startTimeUnixNano?: string;
  readonly [further: string]: unknown;
}

/** Sets up the test file like `useSessions`, for senders of traces. */
export function useTraces() {
  const sessions = useSessions();
  const { gateway, account, call } = sessions;
  return {
    ...sessions,
    /** Creates an API key for exporters. */
    async createKey(): Promise<string> {
      const { body, status } = await gateway().call('POST', '/api/v1/auth/api-keys', {
        token: account().accessToken,
        body: { name: 'exporter', scopes: ['manage_runtime_sessions'] },
      });
      expect(status).toBe(201);
      return (body as { key: string }).key;
    },
    send: (body: unknown, headers: Readonly<Record<string, string>> = {}, token = account().accessToken) =>
      gateway().call('POST', '/otlp/v1/traces', {
        token,
        body,
        headers: { 'content-type': 'application/json', ...headers },
      }),
    async findSession(sourceId: string) {
      const { body } = await call('GET', '?limit=200');
      return body.items.find((each: { session_source_id: string }) => each.session_source_id === sourceId);
    },
    readTimeline: async (id: string) => (await call('GET', `/${id}/timeline?limit=200`)).body.items,
  };
}

export function toRequest(spans: readonly JsonSpan[], resource: JsonSpan['attributes'] = {}): object {
  return {
    resourceSpans: [
      {
        resource: { attributes: toAttributes(resource) },
        scopeSpans: [{ spans: spans.map((span) => ({ ...span, attributes: toAttributes(span.attributes) })) }],
      },
    ],
  };
}

function toAttributes(attributes: JsonSpan['attributes']): object[] {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'string' ? { stringValue: value } : { intValue: String(value) },
  }));
}
