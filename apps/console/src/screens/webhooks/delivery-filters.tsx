import type { FormEvent } from 'react';
import type { DeliveryParams } from '../../queries/webhooks.ts';
import { Button } from '../../ui/button.tsx';
import styles from './webhooks.module.css';

interface Props {
  readonly params: DeliveryParams;
  readonly hasStatus?: boolean;
  readonly onFilter: (params: DeliveryParams) => void;
}

const TEXTS = { type: 'Event type', endpoint: 'Endpoint id', event: 'Event id' } as const;

export function DeliveryFilters({ params, hasStatus = false, onFilter }: Props) {
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const values = [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value).trim()] as const);
    onFilter(Object.fromEntries(values.filter(([, value]) => value !== '')));
  }
  return (
    <form key={JSON.stringify(params)} className={styles['filters']} onSubmit={submit} aria-label="Filters">
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
    </form>
  );
}
