import { useNames } from '../../queries/use-names.ts';
import { DELIVERY_KEYS, type DeliveryParams } from '../../queries/webhooks.ts';
import { ChoiceFilter } from '../../ui/choice-filter.tsx';
import { FilterForm } from '../../ui/filters.tsx';
import { listWords } from '../../ui/status-badge.tsx';
import { STATES } from './delivery-state.tsx';

interface Props {
  readonly params: DeliveryParams;
  readonly hasStatus?: boolean;
  readonly onFilter: (params: DeliveryParams) => void;
}

export function DeliveryFilters({ params, hasStatus = false, onFilter }: Props) {
  const endpoints = Object.fromEntries(useNames('endpoint', 'channel'));
  return (
    <FilterForm keys={DELIVERY_KEYS} params={params} onFilter={onFilter}>
      {hasStatus && <ChoiceFilter label="State" name="status" chosen={params.status} options={listWords(STATES)} />}
      <ChoiceFilter label="Endpoint" name="endpoint" chosen={params.endpoint} options={endpoints} />
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
