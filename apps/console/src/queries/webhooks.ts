import { queryOptions } from '@tanstack/react-query';
import type {
  DeliveryDetails,
  DeliveryPage,
  Endpoint,
  EndpointPage,
  EventCatalogue,
  Recovery,
  RecoverStarted,
  SentEvent,
} from '../api/answers.ts';
import { read, request } from '../api/request.ts';
import type { Texts } from '../search-text.ts';
import { accountKey } from './query-client.ts';

const PATH = '/api/v1/event-webhooks';
/** Refresh interval of data that may still change; nothing is requested while the page is hidden. */
const LIVE_MS = 3000;

export const ENDPOINTS_PATH = `${PATH}/endpoints`;

export const endpointPath = (endpointId: string): string => `${ENDPOINTS_PATH}/${encodeURIComponent(endpointId)}`;

/** Returns the common prefix of the query keys of all data that a replay, or a change to an endpoint, may affect. */
export const webhooksKey = (): readonly unknown[] => accountKey('webhooks');

export const endpointsQuery = (cursor: string | undefined) =>
  queryOptions({
    queryKey: [...webhooksKey(), 'endpoints', cursor],
    queryFn: read<EndpointPage>(ENDPOINTS_PATH, { cursor }),
  });

export const endpointQuery = (endpointId: string) =>
  queryOptions({
    queryKey: [...webhooksKey(), 'endpoint', endpointId],
    queryFn: read<Endpoint>(endpointPath(endpointId)),
    // The service can pause and resume the endpoint at any time.
    refetchInterval: LIVE_MS,
  });

/**
 * Query of the posted body and the headers common to all attempts; they are the same for every receiver and never
 * change.
 */
export const sentEventQuery = (eventId: string) =>
  queryOptions({
    queryKey: accountKey('sent-event', eventId),
    queryFn: read<SentEvent>(`${PATH}/events/${encodeURIComponent(eventId)}`),
    staleTime: Infinity,
  });

export const catalogueQuery = () =>
  queryOptions({
    queryKey: accountKey('event-catalogue'),
    queryFn: read<EventCatalogue>(`${PATH}/catalogue`),
    staleTime: Infinity,
  });

export const DELIVERY_KEYS = ['endpoint', 'type', 'status', 'event', 'from', 'to', 'cursor', 'peek'] as const;
export type DeliveryParams = Texts<(typeof DELIVERY_KEYS)[number]>;

/** Lists of deliveries: all deliveries, or the dead letters. */
export type DeliveryList = 'deliveries' | 'deliveries/dead-letter';

/**
 * Query of a list of deliveries. The first page is refreshed while it is visible, because new deliveries appear there;
 * any other page is refreshed only while one of its deliveries is pending.
 */
export const deliveriesQuery = (list: DeliveryList, params: DeliveryParams) => {
  const { endpoint, type, event, from, to, cursor } = params;
  const status = list === 'deliveries' ? params.status : undefined;
  const query = { endpoint_id: endpoint, event_type: type, event_id: event, since: from, until: to, status, cursor };
  return queryOptions({
    queryKey: [...webhooksKey(), list, query],
    queryFn: read<DeliveryPage>(`${PATH}/${list}`, query),
    refetchInterval: ({ state }) =>
      cursor === undefined || state.data?.items.some((delivery) => delivery.status === 'pending') === true
        ? LIVE_MS
        : false,
  });
};

export const deliveryQuery = (deliveryId: string) =>
  queryOptions({
    queryKey: [...webhooksKey(), 'delivery', deliveryId],
    queryFn: read<DeliveryDetails>(`${PATH}/deliveries/${encodeURIComponent(deliveryId)}`),
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? LIVE_MS : false),
  });

export interface RecoverRange {
  readonly endpoint_id: string | undefined;
  readonly since: string;
  readonly until: string;
}

export function recover(range: RecoverRange, { isDryRun }: { readonly isDryRun: boolean }): Promise<RecoverStarted> {
  return request<RecoverStarted>('POST', `${PATH}/deliveries/recover`, { body: { ...range, dry_run: isDryRun } });
}

export const recoveryQuery = (recoveryId: string) =>
  queryOptions({
    queryKey: [...webhooksKey(), 'recovery', recoveryId],
    queryFn: read<Recovery>(`${PATH}/deliveries/recover/${recoveryId}`),
    refetchInterval: ({ state }) => (state.data?.status === 'finished' ? false : LIVE_MS),
  });
