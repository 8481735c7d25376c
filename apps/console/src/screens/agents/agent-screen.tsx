import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { countNoun } from '@steward/text';
import type { Agent, Enrollment } from '../../api/answers.ts';
import { agentQuery, enrollmentsQuery } from '../../queries/agents.ts';
import type { Column } from '../../ui/data-table.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { PagedTable } from '../../ui/paged.tsx';
import styles from '../../ui/stack.module.css';
import { StatusBadge, type Tone } from '../../ui/status-badge.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { AgentActions } from './agent-actions.tsx';
import { AgentState } from './agent-state.tsx';

const route = getRouteApi('/inside/agents/$agentId');

const TONES: Readonly<Record<Enrollment['status'], Tone>> = {
  pending: 'info',
  applied: 'info',
  validated: 'ok',
  failed: 'bad',
  restored: 'none',
};

const COLUMNS: readonly Column<Enrollment>[] = [
  { name: 'Type', show: ({ enrollment_type: way }) => way },
  { name: 'State', show: ({ status }) => <StatusBadge tone={TONES[status]}>{status}</StatusBadge> },
  { name: 'Models', show: ({ gateway_routed: isRouted }) => (isRouted ? 'through Steward' : 'direct') },
  {
    name: 'Tools',
    show: ({ mcp_rewritten: isRewritten, mcp_server_count: count }) =>
      `${countNoun(count, 'server')}, ${isRewritten ? 'through Steward' : 'direct'}`,
  },
  { name: 'Message', show: ({ message }) => message ?? '' },
  { name: 'Since', show: ({ created_at: at }) => <TimeAgo at={at} /> },
];

export function AgentScreen() {
  const { agentId } = route.useParams();
  const { cursor } = route.useSearch();
  const agent = useQuery(agentQuery(agentId));
  const enrollments = useQuery(enrollmentsQuery(agentId, cursor));
  return (
    <Page title={agent.data?.display_name ?? 'Agent'} actions={<Link to="/agents">All agents</Link>}>
      <Loaded what="the agent" query={agent}>
        {(found) => <About agent={found} />}
      </Loaded>
      <h2>Enrollments</h2>
      <PagedTable
        what="its enrollments"
        name="Enrollments"
        columns={COLUMNS}
        query={enrollments}
        empty={`No enrollment of this agent is recorded yet. To enroll it, run on its machine: steward agents enroll AGENT --agent-id ${agentId}`}
      />
    </Page>
  );
}

function About({ agent }: { readonly agent: Agent }) {
  const { agent_kind: kind, tags, lifecycle_reason: reason, last_seen_at: seen, merged_into: mergedInto } = agent;
  return (
    <section className={styles['stack']} aria-label="About the agent">
      <p>
        {kind} <AgentState agent={agent} /> {tags.join(', ')}
      </p>
      <p>
        <code>{agent.id}</code>
      </p>
      <p>Last call: {seen === null ? 'never' : <TimeAgo at={seen} />}</p>
      <p>Last model call: {agent.last_model_call_at === null ? 'never' : <TimeAgo at={agent.last_model_call_at} />}</p>
      <p>
        Last permission check:{' '}
        {agent.last_permission_check_at === null ? 'never' : <TimeAgo at={agent.last_permission_check_at} />}
      </p>
      {agent.warnings.map(({ code, message }) => (
        <Notice key={code} tone="warn">
          {message}
        </Notice>
      ))}
      {reason !== null && <Notice tone="warn">{reason}</Notice>}
      {mergedInto !== null && (
        <p>
          Merged into{' '}
          <Link to="/agents/$agentId" params={{ agentId: mergedInto }}>
            another agent
          </Link>
          . Searches and lists for either agent contain the history of both.
        </p>
      )}
      <AgentActions agent={agent} />
    </section>
  );
}
