import type { FormEvent } from 'react';
import { DELIVERY_KEYS, type DeliveryParams } from '../../queries/webhooks.ts';
import { pickTexts } from '../../search-text.ts';
import { Button } from '../../ui/button.tsx';
import { Filters } from '../../ui/filters.tsx';

interface Props {
  readonly params: DeliveryParams;
  readonly hasStatus?: boolean;
  readonly onFilter: (params: DeliveryParams) => void;
}

const TEXTS = { type: 'Event type', endpoint: 'Endpoint id', event: 'Event id' } as const;

export function DeliveryFilters({ params, hasStatus = false, onFilter }: Props) {
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    onFilter(pickTexts(Object.fromEntries(new FormData(event.currentTarget)), DELIVERY_KEYS));
  }
  return (
    <Filters key={JSON.stringify(params)} onSubmit={submit}>
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
      {Object.entries(TEXTS).map(([name, label]) => (
        <label key={name}>
          {label}
          <input name={name} defaultValue={params[name as keyof typeof TEXTS]} />
        </label>
      ))}
      <Button type="submit">Filter</Button>
    </Filters>
  );
}
