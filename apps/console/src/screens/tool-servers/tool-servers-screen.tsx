import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ToolServer } from '../../api/answers.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { toolServersQuery } from '../../queries/tool-servers.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { ServerDialog } from './server-dialog.tsx';
import { ServerState } from './server-state.tsx';

const route = getRouteApi('/inside/tool-servers');

const COLUMNS: readonly Column<ToolServer>[] = [
  {
    name: 'Server',
    show: ({ id, name }) => (
      <Link to="/tool-servers/$serverId" params={{ serverId: id }}>
        {name}
      </Link>
    ),
  },
  { name: 'URL', show: ({ url }) => url },
  { name: 'State', show: (server) => <ServerState server={server} /> },
  { name: 'Tools', show: ({ tools_count: count }) => String(count) },
  { name: 'Asked', show: ({ tools_seen_at: at }) => (at === null ? 'never' : <TimeAgo at={at} />) },
];

export function ToolServersScreen() {
  const { cursor } = route.useSearch();
  const query = useQuery({ ...toolServersQuery(cursor), placeholderData: keepPreviousData });
  const [isAdding, setAdding] = useState(false);
  const refusal = useRefusal('manage_policies');
  return (
    <Page
      title="Tool servers"
      actions={
        <Button look="primary" disabledReason={refusal} onClick={() => setAdding(true)}>
          Add tool server
        </Button>
      }
    >
      <Loaded what="tool servers" query={query}>
        {({ items, next_cursor: next }) => (
          <>
            {items.length === 0 ? (
              <p>No tool server yet. Agents reach the tools of one through Steward, which decides about each call.</p>
            ) : (
              <DataTable name="Tool servers" columns={COLUMNS} rows={items} keyOf={({ id }) => id} />
            )}
            {next !== null && (
              <Link to="/tool-servers" search={{ cursor: next }} rel="next">
                Next page
              </Link>
            )}
          </>
        )}
      </Loaded>
      {isAdding && <ServerDialog server={undefined} onClose={() => setAdding(false)} />}
    </Page>
  );
}
