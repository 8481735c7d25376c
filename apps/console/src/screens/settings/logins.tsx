import { useQuery } from '@tanstack/react-query';
import type { Login } from '../../api/answers.ts';
import { request } from '../../api/request.ts';
import { LOGINS_PATH, loginsKey, loginsQuery } from '../../queries/people.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { useChange } from '../../ui/use-change.ts';

const COLUMNS: readonly Column<Login>[] = [
  { name: 'Where', show: ({ kind, client }) => client ?? (kind === 'browser' ? 'A browser' : 'A program') },
  { name: 'Since', show: ({ created_at: at }) => <TimeAgo at={at} /> },
  { name: 'Last refreshed', show: ({ refreshed_at: at }) => (at === null ? 'never' : <TimeAgo at={at} />) },
];

/** The user's logins; each login except the current one can be ended. */
export function Logins() {
  const query = useQuery(loginsQuery());
  const end = useChange((id: string) => request<undefined>('DELETE', `${LOGINS_PATH}/${id}`), loginsKey);
  const columns: readonly Column<Login>[] = [
    ...COLUMNS,
    {
      name: 'End',
      show: ({ id, current }) => (current ? 'Current' : <Button onClick={() => end.mutate(id)}>End this login</Button>),
    },
  ];
  return (
    <>
      <Loaded what="your logins" query={query}>
        {({ items }) => <DataTable name="Logins" columns={columns} rows={items} keyOf={({ id }) => id} />}
      </Loaded>
      {end.error !== null && <ErrorState error={end.error} />}
    </>
  );
}
