import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { CreatedEndpoint, Endpoint } from '../../api/answers.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { endpointsQuery } from '../../queries/webhooks.ts';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { DialogButton } from '../../ui/dialog-button.tsx';
import { Page } from '../../ui/page.tsx';
import { Paged } from '../../ui/paged.tsx';
import { SecretOnce } from '../../ui/secret-once.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { CreatePortalLink } from './create-portal-link.tsx';
import { EndpointDialog } from './endpoint-dialog.tsx';
import { describeEndpoint } from './endpoint-state.ts';
import { FirstReceiver } from './first-receiver.tsx';
import styles from './webhooks.module.css';

const route = getRouteApi('/inside/event-webhooks/endpoints');
/** Maximum number of endpoints according to the contract (HOOK); the console does not offer to add more. */
const MAX_ENDPOINTS = 20;

const COLUMNS: readonly Column<Endpoint>[] = [
  {
    name: 'Endpoint',
    show: ({ id, url, description, group }) => (
      <>
        <Link to="/event-webhooks/endpoints/$endpointId" params={{ endpointId: id }}>
          {url}
        </Link>
        <div className={styles['fine']}>
          {description} {group !== null && `Group: ${group}`}
        </div>
      </>
    ),
  },
  {
    name: 'State',
    show: (endpoint) => {
      const { tone, word } = describeEndpoint(endpoint);
      return <StatusBadge tone={tone}>{word}</StatusBadge>;
    },
  },
  { name: 'Events', show: ({ event_types: types }) => (types.length === 0 ? 'all' : types.join(', ')) },
  {
    name: 'Last delivery',
    show: ({ last_delivery_at: at, last_delivery_status: status }) =>
      at === null ? (
        'none yet'
      ) : (
        <>
          {status} <TimeAgo at={at} />
        </>
      ),
  },
];

export function EndpointsScreen() {
  const { cursor } = route.useSearch();
  const query = useQuery(endpointsQuery(cursor));
  const [created, setCreated] = useState<CreatedEndpoint>();
  const refusal = useRefusal('manage_policies');
  const isFull = (query.data?.items.filter(({ source }) => source === 'account').length ?? 0) >= MAX_ENDPOINTS;
  return (
    <Page
      title="Endpoints"
      actions={
        <>
          <CreatePortalLink />
          <DialogButton
            label="Add endpoint"
            look="primary"
            disabledReason={refusal ?? (isFull ? `an account has at most ${MAX_ENDPOINTS} endpoints` : undefined)}
          >
            {(close) => <EndpointDialog endpoint={undefined} onClose={close} onCreated={setCreated} />}
          </DialogButton>
        </>
      }
    >
      <Paged what="endpoints" query={query}>
        {(items) =>
          items.length === 0 ? (
            <FirstReceiver />
          ) : (
            <DataTable name="Endpoints" columns={COLUMNS} rows={items} keyOf={({ id }) => id} />
          )
        }
      </Paged>
      {created !== undefined && (
        <SecretOnce title="Signing secret" secret={created.secret} onStored={() => setCreated(undefined)} />
      )}
    </Page>
  );
}
