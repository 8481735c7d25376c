import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Candidate } from '../../api/answers.ts';
import { candidatesQuery } from '../../queries/agents.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { Filters } from '../../ui/filters.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { useForm } from '../../ui/use-form.ts';
import { DecideCandidate } from './decide-candidate.tsx';
import { DiscoverySwitch } from './discovery-switch.tsx';
import { Onboard } from './onboard.tsx';

const route = getRouteApi('/inside/agents/discovered');

const STATES = { new: 'New', onboarded: 'Onboarded', ignored: 'Ignored', all: 'All' };

const COLUMNS: readonly Column<Candidate>[] = [
  { name: 'Kind', show: ({ agent_kind: kind }) => kind },
  { name: 'Workstation', show: ({ workstation_fingerprint: print }) => <code>{print.slice(0, 12)}</code> },
  { name: 'System', show: ({ os_family: system }) => system },
  { name: 'Version', show: ({ agent_version: version }) => version ?? 'unknown' },
  { name: 'Tool servers', show: ({ mcp_server_count: count }) => String(count) },
  { name: 'Through Steward', show: ({ enrolled }) => (enrolled ? 'yes' : 'no') },
  { name: 'Last seen', show: ({ last_seen_at: at }) => <TimeAgo at={at} /> },
];

/** Agents that workstations told of: by hashes, no name of a person, a machine or a path among them. */
export function DiscoveredScreen() {
  const { status = 'new', cursor } = route.useSearch();
  const query = useQuery({ ...candidatesQuery(status, cursor), placeholderData: keepPreviousData });
  const [onboarded, setOnboarded] = useState<Candidate>();
  const navigate = useNavigate();
  const { onSubmit } = useForm((values) =>
    navigate({ to: '/agents/discovered', search: { status: values['status'] } }),
  );
  const columns: readonly Column<Candidate>[] = [
    ...COLUMNS,
    {
      name: 'Decide',
      show: (candidate) => <DecideCandidate candidate={candidate} onOnboard={() => setOnboarded(candidate)} />,
    },
  ];
  return (
    <Page title="Discovered agents">
      <DiscoverySwitch />
      <Filters onSubmit={onSubmit}>
        <SelectField key={status} label="State" name="status" options={STATES} defaultValue={status} />
        <Button type="submit">Show</Button>
      </Filters>
      <Loaded what="discovered agents" query={query}>
        {({ items, next_cursor: next }) => (
          <>
            {items.length === 0 ? (
              <p>None. Workstations tell which agents they have by: steward agents discover.</p>
            ) : (
              <DataTable
                name="Discovered agents"
                columns={columns}
                rows={items}
                keyOf={({ id }) => id}
                isOld={query.isPlaceholderData}
              />
            )}
            {next !== null && (
              <Link to="/agents/discovered" search={{ status, cursor: next }} rel="next">
                Next page
              </Link>
            )}
          </>
        )}
      </Loaded>
      {onboarded !== undefined && <Onboard candidate={onboarded} onClose={() => setOnboarded(undefined)} />}
    </Page>
  );
}
