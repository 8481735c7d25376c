import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Arrival, ArrivalPage } from '../../api/answers.ts';
import { read, request } from '../../api/request.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { flowPath, flowsKey } from '../../queries/flows.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import panel from '../../ui/panel.module.css';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { useChange } from '../../ui/use-change.ts';

const MOST = 10;
const LOOK_MS = 5000;

const show = (value: unknown): string => JSON.stringify(value, undefined, 2);

/** Recent requests from the source of a flow, with the reason if a request was ignored; a request can be sent again. */
export function Arrivals({ flowId }: { readonly flowId: string }) {
  const refusal = useRefusal('execute_flows');
  const path = `${flowPath(flowId)}/arrivals`;
  const { data } = useQuery({
    queryKey: [...flowsKey(), flowId, 'arrivals'],
    queryFn: read<ArrivalPage>(path, { limit: MOST }),
    refetchInterval: LOOK_MS,
  });
  const send = useChange(
    (id: string) => request<unknown>('POST', `${path}/${encodeURIComponent(id)}/send-again`, { body: {} }),
    flowsKey,
  );
  const columns: readonly Column<Arrival>[] = [
    { name: 'Received', show: ({ received_at: at }) => <TimeAgo at={at} /> },
    { name: 'Event', show: ({ source }) => nameEvent(source) },
    { name: 'Result', show: (arrival) => <Outcome arrival={arrival} /> },
    {
      name: 'Request',
      show: ({ source, payload }) => (
        <details>
          <summary>Headers and payload</summary>
          <pre className={panel['text']}>{`${show(source)}\n${show(payload)}`}</pre>
        </details>
      ),
    },
    {
      name: 'Send again',
      show: ({ id }) => (
        <Button disabledReason={refusal} aria-busy={send.isPending} onClick={() => send.mutate(id)}>
          Send again
        </Button>
      ),
    },
  ];
  const rows = data?.items ?? [];
  if (rows.length === 0) return null;
  return (
    <>
      <h2>Latest requests</h2>
      {send.error !== null && <ErrorState error={send.error} />}
      <DataTable name="Latest requests" columns={columns} rows={rows} keyOf={({ id }) => id} />
    </>
  );
}

function Outcome({ arrival }: { readonly arrival: Arrival }) {
  const { outcome, reason, execution_id: run } = arrival;
  if (run === null) return <>{`${outcome}: ${reason ?? ''}`}</>;
  return (
    <Link to="/executions/$executionId" params={{ executionId: run }}>
      {outcome}
    </Link>
  );
}

function nameEvent(source: unknown): string {
  const { name, event, action } = source as { name: string; event: string | null; action: string | null };
  return [name, event, action].filter((part) => part !== null).join(' ');
}
