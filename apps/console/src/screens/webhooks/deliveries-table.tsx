import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Delivery } from '../../api/answers.ts';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { DeliveryState } from './delivery-state.tsx';
import { EndpointName } from './endpoint-name.tsx';

interface Props {
  readonly deliveries: readonly Delivery[];
  readonly empty: ReactNode;
  readonly isOld?: boolean;
  /** Whether to show the endpoint of each delivery; set if the deliveries may belong to several endpoints. */
  readonly hasEndpoint?: boolean;
  /** Last column. */
  readonly more?: Column<Delivery>;
  /** Name of the table. */
  readonly name?: string;
}

const COLUMNS: readonly Column<Delivery>[] = [
  {
    name: 'Event',
    show: ({ id, event_type: type }) => (
      <Link to="." search={(former: Record<string, unknown>) => ({ ...former, peek: id })} resetScroll={false}>
        {type}
      </Link>
    ),
  },
  { name: 'State', show: ({ status }) => <DeliveryState status={status} /> },
  { name: 'Attempts', show: ({ attempt_count: count }) => String(count) },
  {
    name: 'Last status',
    show: ({ response_status: status, last_error: error }) => [status, error].filter((each) => each !== null).join(' '),
  },
  { name: 'Happened', show: ({ occurred_at: at }) => <TimeAgo at={at} /> },
  {
    name: 'Next attempt',
    show: ({ next_attempt_at: at, status }) => {
      if (at === null || status !== 'pending') return '';
      // A pending delivery whose time has passed is about to be sent, or waits because its endpoint is paused or
      // disabled.
      return Date.parse(at) < Date.now() ? 'due' : <TimeAgo at={at} />;
    },
  },
];

const ENDPOINT: Column<Delivery> = { name: 'Endpoint', show: ({ endpoint_id: id }) => <EndpointName id={id} /> };

export function DeliveriesTable(props: Props) {
  const { deliveries, empty, isOld = false, hasEndpoint = false, more, name = 'Deliveries' } = props;
  if (deliveries.length === 0) return <p>{empty}</p>;
  const [event, ...facts] = COLUMNS;
  const columns = [event, hasEndpoint ? ENDPOINT : undefined, ...facts, more].filter((each) => each !== undefined);
  return <DataTable name={name} columns={columns} rows={deliveries} keyOf={({ id }) => id} isOld={isOld} />;
}
