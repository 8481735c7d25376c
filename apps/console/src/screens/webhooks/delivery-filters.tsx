import { DELIVERY_KEYS, type DeliveryParams } from '../../queries/webhooks.ts';
import { FilterForm } from '../../ui/filters.tsx';
import { useEndpoints } from './endpoint-name.tsx';

interface Props {
  readonly params: DeliveryParams;
  readonly hasStatus?: boolean;
  readonly onFilter: (params: DeliveryParams) => void;
}

export function DeliveryFilters({ params, hasStatus = false, onFilter }: Props) {
  const { endpoint } = params;
  const endpoints = useEndpoints();
  const isGone = endpoint !== undefined && !endpoints.some(({ id }) => id === endpoint);
  return (
    <FilterForm keys={DELIVERY_KEYS} params={params} onFilter={onFilter}>
      {hasStatus && (
        <label>
          State
          <select name="status" defaultValue={params.status ?? ''}>
            <option value="">All</option>
            <option value="pending">On its way</option>
            <option value="delivered">Delivered</option>
            <option value="dead">Given up</option>
            <option value="cancelled">Cancelled</option>
          </select>
        </label>
      )}
      <label>
        Endpoint
        <select name="endpoint" key={endpoints.length} defaultValue={endpoint ?? ''}>
          <option value="">All</option>
          {isGone && <option>{endpoint}</option>}
          {endpoints.map(({ id, url }) => (
            <option key={id} value={id}>
              {url}
            </option>
          ))}
        </select>
      </label>
      <label>
        Event type
        <input name="type" defaultValue={params.type} />
      </label>
      <label>
        Event id
        <input name="event" defaultValue={params.event} />
      </label>
    </FilterForm>
  );
}
