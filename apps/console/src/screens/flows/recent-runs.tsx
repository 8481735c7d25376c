import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Execution } from '../../api/answers.ts';
import { executionsQuery } from '../../queries/executions.ts';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { ExecutionState } from '../executions/execution-state.tsx';

const MOST = 5;
const LOOK_MS = 3000;

const COLUMNS: readonly Column<Execution>[] = [
  {
    name: 'Requested',
    show: ({ id, created_at: at }) => (
      <Link to="/executions/$executionId" params={{ executionId: id }}>
        <TimeAgo at={at} />
      </Link>
    ),
  },
  { name: 'State', show: ({ status }) => <ExecutionState status={status} /> },
  { name: 'Started by', show: ({ trigger_type: trigger }) => trigger },
];

/** Recent runs of the flow; new runs appear by themselves. */
export function RecentRuns({ flowId }: { readonly flowId: string }) {
  const { data } = useQuery({ ...executionsQuery({ flow: flowId }), refetchInterval: LOOK_MS });
  const rows = data?.items.slice(0, MOST) ?? [];
  if (rows.length === 0) return null;
  return (
    <>
      <h2>Latest runs</h2>
      <DataTable name="Latest runs" columns={COLUMNS} rows={rows} keyOf={({ id }) => id} />
    </>
  );
}
