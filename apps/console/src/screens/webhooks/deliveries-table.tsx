import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Delivery } from '../../api/answers.ts';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { StatusBadge, type Tone } from '../../ui/status-badge.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';

const STATES: Readonly<Record<Delivery['status'], readonly [Tone, string]>> = {
  pending: ['info', 'On its way'],
  delivered: ['ok', 'Delivered'],
  dead: ['bad', 'Given up'],
  cancelled: ['none', 'Cancelled'],
};

interface Props {
  readonly deliveries: readonly Delivery[];
  readonly empty: ReactNode;
  readonly isOld?: boolean;
  /** Last in each row. */
  readonly more?: Column<Delivery>;
  /** The table's name. */
  readonly name?: string;
}

export function DeliveryState({ status }: Pick<Delivery, 'status'>) {
  const [tone, word] = STATES[status];
  return <StatusBadge tone={tone}>{word}</StatusBadge>;
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
    name: 'Last answer',
    show: ({ response_status: status, last_error: error }) => [status, error].filter((each) => each !== null).join(' '),
  },
  { name: 'Happened', show: ({ occurred_at: at }) => <TimeAgo at={at} /> },
  {
    name: 'Next attempt',
    show: ({ next_attempt_at: at, status }) => (at === null || status !== 'pending' ? '' : <TimeAgo at={at} />),
  },
];

export function DeliveriesTable({ deliveries, empty, isOld = false, more, name = 'Deliveries' }: Props) {
  if (deliveries.length === 0) return <p>{empty}</p>;
  const columns = more === undefined ? COLUMNS : [...COLUMNS, more];
  return <DataTable name={name} columns={columns} rows={deliveries} keyOf={({ id }) => id} isOld={isOld} />;
}
