import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Stretch } from './ranges.ts';
import type { ChartName } from './series-catalogue.ts';

interface Props {
  readonly of: ChartName;
  readonly by: string;
  readonly groupKey: string | null;
  readonly stretch: Stretch;
  readonly children: ReactNode;
}

/**
 * Links to the rows of a group if there is a list of these rows that can be filtered by the group; otherwise, shows the
 * children without a link.
 */
export function GroupLink({ of, by, groupKey: key, stretch: { from, to }, children }: Props) {
  if (key === null) return children;
  if (of === 'spend' || of === 'model_calls')
    return (
      <Link to="/usage/calls" search={{ [by]: key, from, to }}>
        {children}
      </Link>
    );
  const filter = { endpoint: 'endpoint', type: 'type', result: 'status' }[by];
  if ((of === 'deliveries' || of === 'delivery_latency') && filter !== undefined)
    return (
      <Link to="/event-webhooks/deliveries" search={{ [filter]: key, from, to }}>
        {children}
      </Link>
    );
  if ((of === 'executions' || of === 'execution_duration') && (by === 'flow' || by === 'result'))
    return (
      <Link to="/executions" search={by === 'flow' ? { flow: key } : { status: key }}>
        {children}
      </Link>
    );
  if (of === 'sessions' && (by === 'agent' || by === 'flow'))
    return (
      <Link to="/sessions" search={{ [by]: key, from, to }}>
        {children}
      </Link>
    );
  return children;
}
