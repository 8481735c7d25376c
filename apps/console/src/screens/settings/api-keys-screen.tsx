import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ApiKey, CreatedApiKey } from '../../api/answers.ts';
import { request } from '../../api/request.ts';
import { API_KEYS_PATH, apiKeysKey, apiKeysQuery } from '../../queries/api-keys.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { SecretOnce } from '../../ui/secret-once.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { useChange } from '../../ui/use-change.ts';
import { CreateApiKey } from './create-api-key.tsx';

const route = getRouteApi('/inside/settings/api-keys');

const COLUMNS: readonly Column<ApiKey>[] = [
  { name: 'Name', show: ({ name }) => name },
  { name: 'Ends in', show: ({ hint }) => <code>{hint}</code> },
  { name: 'May', show: ({ scopes }) => (scopes === null ? 'all its owner may' : scopes.join(', ') || 'nothing') },
  { name: 'Last used', show: ({ last_used_at: at }) => (at === null ? 'never' : <TimeAgo at={at} />) },
  { name: 'Expires', show: ({ expires_at: at }) => (at === null ? 'never' : <TimeAgo at={at} />) },
];

export function ApiKeysScreen() {
  const { cursor } = route.useSearch();
  const query = useQuery(apiKeysQuery(cursor));
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<CreatedApiKey>();
  const [revoked, setRevoked] = useState<ApiKey>();
  const revoke = useChange((id: string) => request<undefined>('DELETE', `${API_KEYS_PATH}/${id}`), apiKeysKey);
  const columns: readonly Column<ApiKey>[] = [
    ...COLUMNS,
    { name: 'End', show: (key) => <Button onClick={() => setRevoked(key)}>Revoke</Button> },
  ];
  return (
    <Page
      title="API keys"
      actions={
        <Button look="primary" onClick={() => setCreating(true)}>
          Create API key
        </Button>
      }
    >
      <Loaded what="API keys" query={query}>
        {({ items, next_cursor: next }) => (
          <>
            {items.length === 0 ? (
              <p>No key yet. Agents and scripts send one as a bearer token, and act for who made it.</p>
            ) : (
              <DataTable name="API keys" columns={columns} rows={items} keyOf={({ id }) => id} />
            )}
            {next !== null && (
              <Link to="/settings/api-keys" search={{ cursor: next }} rel="next">
                Next page
              </Link>
            )}
          </>
        )}
      </Loaded>
      {isCreating && (
        <CreateApiKey
          onClose={() => setCreating(false)}
          onCreated={(key) => {
            setCreating(false);
            setCreated(key);
          }}
        />
      )}
      {created !== undefined && (
        <SecretOnce title="API key" secret={created.key} onStored={() => setCreated(undefined)} />
      )}
      {revoked !== undefined && (
        <Confirm
          title={`Revoke ${revoked.name}`}
          action="Revoke key"
          look="danger"
          isBusy={revoke.isPending}
          error={revoke.error}
          onConfirm={() => revoke.mutate(revoked.id, { onSuccess: () => setRevoked(undefined) })}
          onClose={() => setRevoked(undefined)}
        >
          <p>It stops working with the next request, and so do the keys made by it.</p>
        </Confirm>
      )}
    </Page>
  );
}
