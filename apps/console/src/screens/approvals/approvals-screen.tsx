import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ApprovalRequest } from '../../api/answers.ts';
import { approvalsQuery } from '../../queries/approvals.ts';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { LinkTabs } from '../../ui/link-tabs.tsx';
import { Page } from '../../ui/page.tsx';
import { Paged } from '../../ui/paged.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { DecideTogether } from './decide-together.tsx';
import { nameAgent, STATES } from './describe-request.ts';

const route = getRouteApi('/inside/approvals');
const TABS = {
  pending: 'Waiting',
  approved: 'Approved',
  declined: 'Declined',
  expired: 'Expired',
  all: 'All',
} as const;

const COLUMNS: readonly Column<ApprovalRequest>[] = [
  {
    name: 'Call',
    show: ({ id, tool_name: tool, server }) => (
      <Link to="/approvals/$requestId" params={{ requestId: id }}>
        {server === '' ? tool : `${tool} at ${server}`}
      </Link>
    ),
  },
  { name: 'Agent', show: nameAgent },
  { name: 'What', isWide: true, show: ({ summary }) => summary },
  {
    name: 'State',
    show: ({ status, quorum_reachable: isReachable }) =>
      isReachable === false ? (
        <StatusBadge tone="warn">Cannot be approved</StatusBadge>
      ) : (
        <StatusBadge tone={STATES[status][0]}>{STATES[status][1]}</StatusBadge>
      ),
  },
  { name: 'Requested', show: ({ requested_at: at }) => <TimeAgo at={at} /> },
  { name: 'Expires', show: ({ expires_at: at, status }) => (status === 'pending' ? <TimeAgo at={at} /> : '') },
];

export function ApprovalsScreen() {
  const { status = 'pending', cursor } = route.useSearch();
  const query = useQuery({ ...approvalsQuery(status, cursor), placeholderData: keepPreviousData });
  const [chosenIds, setChosenIds] = useState<readonly string[]>([]);
  const choose: Column<ApprovalRequest> = {
    name: 'Select',
    show: ({ id, tool_name: tool, summary }) => (
      <input
        type="checkbox"
        aria-label={`Select ${tool}: ${summary}`}
        checked={chosenIds.includes(id)}
        onChange={({ target }) =>
          setChosenIds((before) => (target.checked ? [...before, id] : before.filter((each) => each !== id)))
        }
      />
    ),
  };
  return (
    <Page title="Approvals">
      <LinkTabs
        label="Status of requests"
        tabs={Object.entries(TABS).map(([each, name]) => ({
          name,
          params: { status: each },
          isCurrent: status === each,
        }))}
      />
      <Paged what="requests" query={query} params={{ status }}>
        {(items) => (
          <>
            {items.length === 0 ? (
              <p>
                {status === 'pending' ? (
                  <>
                    No requests are waiting for a decision. The <Link to="/policies">policy</Link> decides which calls
                    need approval.
                  </>
                ) : status === 'all' ? (
                  'No approvals have been requested yet.'
                ) : (
                  'No requests have this status.'
                )}
              </p>
            ) : (
              <DataTable
                name="Requests"
                columns={status === 'pending' ? [...COLUMNS, choose] : COLUMNS}
                rows={items}
                keyOf={({ id }) => id}
                isOld={query.isPlaceholderData}
              />
            )}
            {status === 'pending' && (
              <DecideTogether
                offered={items}
                chosen={items.filter(({ id }) => chosenIds.includes(id))}
                onChoose={setChosenIds}
              />
            )}
          </>
        )}
      </Paged>
    </Page>
  );
}
