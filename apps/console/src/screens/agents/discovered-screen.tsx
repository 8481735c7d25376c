import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { Candidate } from '../../api/answers.ts';
import { candidatesQuery } from '../../queries/agents.ts';
import type { Column } from '../../ui/data-table.tsx';
import { FilterForm } from '../../ui/filters.tsx';
import { ListPage } from '../../ui/list-page.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { DecideCandidate } from './decide-candidate.tsx';
import { DiscoverySwitch } from './discovery-switch.tsx';

const route = getRouteApi('/inside/agents/discovered');

const STATES = { new: 'New', onboarded: 'Onboarded', ignored: 'Ignored', all: 'All' };

const COLUMNS: readonly Column<Candidate>[] = [
  { name: 'Kind', show: ({ agent_kind: kind }) => kind },
  { name: 'Workstation', show: ({ workstation_fingerprint: print }) => <code>{print.slice(0, 12)}</code> },
  { name: 'System', show: ({ os_family: system }) => system },
  { name: 'Version', show: ({ agent_version: version }) => version ?? 'unknown' },
  { name: 'Tool servers', show: ({ mcp_server_count: count }) => String(count) },
  { name: 'through Steward', show: ({ enrolled }) => (enrolled ? 'yes' : 'no') },
  { name: 'Last seen', show: ({ last_seen_at: at }) => <TimeAgo at={at} /> },
  { name: 'Decide', show: (candidate) => <DecideCandidate candidate={candidate} /> },
];

/** Agents reported by workstations: identified by hashes, without paths and without names of people or machines. */
export function DiscoveredScreen() {
  const { status = 'new', cursor } = route.useSearch();
  const query = useQuery({ ...candidatesQuery(status, cursor), placeholderData: keepPreviousData });
  const navigate = route.useNavigate();
  return (
    <ListPage
      name="Discovered agents"
      what="discovered agents"
      columns={COLUMNS}
      query={query}
      params={{ status }}
      empty={`${status === 'all' ? 'No agents were reported.' : 'No discovered agents have this state.'} Workstations report their agents with: steward agents discover --report`}
    >
      <DiscoverySwitch />
      <FilterForm keys={['status']} params={{ status }} action="Show" onFilter={(search) => void navigate({ search })}>
        <SelectField label="State" name="status" options={STATES} defaultValue={status} />
      </FilterForm>
    </ListPage>
  );
}
