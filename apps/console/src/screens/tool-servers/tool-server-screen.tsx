import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { Tool, ToolServer } from '../../api/answers.ts';
import { toolServerQuery, toolsQuery } from '../../queries/tool-servers.ts';
import type { Column } from '../../ui/data-table.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { PagedTable } from '../../ui/paged.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import styles from '../../ui/stack.module.css';
import { AcceptTool } from './accept-tool.tsx';
import { ServerActions } from './server-actions.tsx';
import { ServerState } from './server-state.tsx';

const route = getRouteApi('/inside/tool-servers/$serverId');

export function ToolServerScreen() {
  const { serverId } = route.useParams();
  const { cursor } = route.useSearch();
  const server = useQuery(toolServerQuery(serverId));
  const tools = useQuery(toolsQuery(serverId, cursor));
  return (
    <Page title={server.data?.name ?? 'Tool server'} actions={<Link to="/tool-servers">All tool servers</Link>}>
      <Loaded what="the tool server" query={server}>
        {(found) => <About server={found} />}
      </Loaded>
      <h2>Tools</h2>
      <PagedTable
        name="Tools"
        what="its tools"
        columns={listColumns(serverId)}
        query={tools}
        keyOf={({ name }) => name}
        empty="No tools have been loaded yet."
      />
    </Page>
  );
}

function About({ server }: { readonly server: ToolServer }) {
  return (
    <section className={styles['stack']} aria-label="About the server">
      <p>
        {server.url} <ServerState server={server} />
      </p>
      {server.oauth !== null && (
        <p>
          Authorization server: {server.oauth.issuer}, connected <TimeAgo at={server.oauth.connected_at} />{' '}
          {server.oauth.ended && <StatusBadge tone="bad">Connection lost: connect again</StatusBadge>}
        </p>
      )}
      {server.last_error !== null && <Notice tone="warn">{server.last_error}</Notice>}
      <ServerActions server={server} />
    </section>
  );
}

const listColumns = (serverId: string): readonly Column<Tool>[] => [
  { name: 'Tool', show: ({ name }) => name },
  {
    name: 'State',
    show: (tool) =>
      tool.changed ? (
        <>
          <StatusBadge tone="warn">Changed since it was accepted</StatusBadge>{' '}
          <AcceptTool serverId={serverId} tool={tool} />
        </>
      ) : (
        <StatusBadge tone="ok">Accepted definition</StatusBadge>
      ),
  },
  { name: 'First seen', show: ({ first_seen_at: at }) => <TimeAgo at={at} /> },
  {
    name: 'Definition',
    show: ({ definition }) => (
      <details>
        <summary>Show</summary>
        <pre>{JSON.stringify(definition, null, 2)}</pre>
      </details>
    ),
  },
];
