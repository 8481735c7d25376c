import { queryOptions, type QueryKey } from '@tanstack/react-query';
import type { DeliveryDetails, DeliveryPage, EndpointPage, EventCatalogue } from '../api/answers.ts';
import { send, type Method, type SendOptions } from '../api/send.ts';
import { takeToken } from './take-token.ts';

const BASE = '/api/v1/event-webhooks';
/** Interval of refreshes; nothing is requested while the page is hidden. */
const LIVE_MS = 5000;
const PAGE = 20;

/** The token is stored only in the memory of this page. */
const token = takeToken(location, history);

/** Whether the page was opened with a link that contains a token. */
export const hasToken = token !== undefined;

/** Sends one request with the token of the link. @throws ApiError, with 401 if the link has expired or was revoked */
export function ask<Answer>(
  method: Method,
  path: string,
  options: Pick<SendOptions, 'body' | 'query' | 'signal'> = {},
): Promise<Answer> {
  return send<Answer>(method, `${BASE}${path}`, { ...options, accessToken: token });
}

const read =
  <Answer>(path: string, query: SendOptions['query'] = {}) =>
  ({ signal }: { readonly signal: AbortSignal }): Promise<Answer> =>
    ask<Answer>('GET', path, { query, signal });

/** Prefix of the keys of all queries that a change may affect. */
export const portalKey = (): QueryKey => ['portal'];

export const endpointPath = (id: string): string => `/endpoints/${encodeURIComponent(id)}`;

export const endpointsQuery = () =>
  queryOptions({
    queryKey: ['portal', 'endpoints'],
    queryFn: read<EndpointPage>('/endpoints', { limit: 200 }),
    refetchInterval: LIVE_MS,
  });

export const catalogueQuery = () =>
  queryOptions({ queryKey: ['catalogue'], queryFn: read<EventCatalogue>('/catalogue'), staleTime: Infinity });

export const deliveriesQuery = (endpointId: string) =>
  queryOptions({
    queryKey: ['portal', 'deliveries', endpointId],
    queryFn: read<DeliveryPage>('/deliveries', { endpoint_id: endpointId, limit: PAGE }),
    refetchInterval: LIVE_MS,
  });

export const deliveryQuery = (id: string) =>
  queryOptions({
    queryKey: ['portal', 'delivery', id],
    queryFn: read<DeliveryDetails>(`/deliveries/${encodeURIComponent(id)}`),
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? LIVE_MS : false),
  });
