import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { AuditEntry } from '../../api/answers.ts';
import { AUDIT_KEYS, auditQuery } from '../../queries/audit.ts';
import { ChoiceFilter } from '../../ui/choice-filter.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { FilterForm } from '../../ui/filters.tsx';
import { ListPage } from '../../ui/list-page.tsx';
import { isFiltered, NoneMatch } from '../../ui/none-match.tsx';
import { StatusBadge, type Tone } from '../../ui/status-badge.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { Actor } from './actor.tsx';

const route = getRouteApi('/inside/audit-log');
const TONES: Readonly<Record<string, Tone>> = { success: 'ok', denied: 'warn', failure: 'bad' };
const OUTCOMES = Object.fromEntries(Object.keys(TONES).map((outcome) => [outcome, outcome]));

const COLUMNS: readonly Column<AuditEntry>[] = [
  { name: 'When', show: ({ occurred_at: at }) => <TimeAgo at={at} /> },
  { name: 'Action', show: ({ action }) => action },
  { name: 'Of', show: ({ resource_type: type }) => type.replaceAll('_', ' ') },
  { name: 'Outcome', show: ({ status }) => <StatusBadge tone={TONES[status] ?? 'none'}>{status}</StatusBadge> },
  { name: 'By', show: ({ actor, source }) => <Actor actor={actor} source={source} /> },
  {
    name: 'Details',
    show: ({ details, resource_id: id }) => (
      <details>
        <summary>Show</summary>
        <pre>{JSON.stringify({ resource_id: id, ...(details as object) }, null, 2)}</pre>
      </details>
    ),
  },
];

export function AuditScreen() {
  const params = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery({ ...auditQuery(params), placeholderData: keepPreviousData });

  return (
    <ListPage
      name="Audit log"
      what="the audit log"
      columns={COLUMNS}
      query={query}
      empty={isFiltered(params) ? <NoneMatch what="entries" /> : 'No entries yet.'}
    >
      <FilterForm keys={AUDIT_KEYS} params={params} onFilter={(search) => void navigate({ search })}>
        <label>
          Action
          <input name="action" defaultValue={params.action} />
        </label>
        <label>
          Of
          <input name="type" defaultValue={params.type} />
        </label>
        <ChoiceFilter label="Outcome" name="status" chosen={params.status} options={OUTCOMES} />
      </FilterForm>
    </ListPage>
  );
}
