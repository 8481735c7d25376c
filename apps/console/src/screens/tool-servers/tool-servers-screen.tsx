import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ToolServer } from '../../api/answers.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { toolServersQuery } from '../../queries/tool-servers.ts';
import type { Column } from '../../ui/data-table.tsx';
import { DialogButton } from '../../ui/dialog-button.tsx';
import { ListPage } from '../../ui/list-page.tsx';
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
  { name: 'Last loaded', show: ({ tools_seen_at: at }) => (at === null ? 'never' : <TimeAgo at={at} />) },
];

export function ToolServersScreen() {
  const { cursor } = route.useSearch();
  const query = useQuery({ ...toolServersQuery(cursor), placeholderData: keepPreviousData });
  const refusal = useRefusal('manage_policies');
  return (
    <ListPage
      name="Tool servers"
      what="tool servers"
      columns={COLUMNS}
      query={query}
      empty="No tool servers yet. Agents reach the tools of a server through Steward, which decides on each call."
      actions={
        <DialogButton label="Add tool server" look="primary" disabledReason={refusal}>
          {(close) => <ServerDialog server={undefined} onClose={close} />}
        </DialogButton>
      }
    />
  );
}
