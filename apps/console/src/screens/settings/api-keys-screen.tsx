import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { ApiKey, CreatedApiKey } from '../../api/answers.ts';
import { request } from '../../api/request.ts';
import { API_KEYS_PATH, apiKeysKey, apiKeysQuery } from '../../queries/api-keys.ts';
import { ConfirmChange } from '../../ui/confirm-change.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { DialogButton } from '../../ui/dialog-button.tsx';
import { ListPage } from '../../ui/list-page.tsx';
import { SecretOnce } from '../../ui/secret-once.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { useChange } from '../../ui/use-change.ts';
import { CreateApiKey } from './create-api-key.tsx';
import { describeKeyLimits } from './key-limit-words.ts';
import { LimitKey } from './key-limits.tsx';

const route = getRouteApi('/inside/settings/api-keys');

const COLUMNS: readonly Column<ApiKey>[] = [
  { name: 'Name', show: ({ name }) => name },
  { name: 'Ends with', show: ({ hint }) => <code>{hint}</code> },
  { name: 'Permissions', show: describeKey },
  { name: 'Limits', show: describeKeyLimits },
  { name: 'Last used', show: ({ last_used_at: at }) => (at === null ? 'never' : <TimeAgo at={at} />) },
  { name: 'Expires', show: ({ expires_at: at }) => (at === null ? 'never' : <TimeAgo at={at} />) },
  {
    name: 'Change',
    show: (key) => (
      <>
        <LimitKey apiKey={key} /> <RevokeKey apiKey={key} />
      </>
    ),
  },
];

export function ApiKeysScreen() {
  const { cursor } = route.useSearch();
  const query = useQuery(apiKeysQuery(cursor));
  const [created, setCreated] = useState<CreatedApiKey>();
  return (
    <ListPage
      name="API keys"
      what="API keys"
      columns={COLUMNS}
      query={query}
      empty="No API keys yet. Agents and scripts send a key as a bearer token, and act as the owner of the key or, if the key is bound to an agent, as this agent."
      actions={
        <DialogButton label="Create API key" look="primary">
          {(close) => <CreateApiKey onClose={close} onCreated={setCreated} />}
        </DialogButton>
      }
    >
      {created !== undefined && (
        <SecretOnce title="API key" secret={created.key} onStored={() => setCreated(undefined)} />
      )}
    </ListPage>
  );
}

/**
 * Describes the permissions of a key. The key of an agent has only the permissions in `most_permissions`, which its
 * scopes can reduce further.
 */
function describeKey({ scopes, most_permissions: most }: ApiKey): string {
  if (most === null) return scopes === null ? 'all permissions of its owner' : scopes.join(', ') || 'nothing';
  const own = most.filter((permission) => scopes === null || scopes.includes(permission));
  return `as an agent: ${own.join(', ') || 'nothing'}`;
}

function RevokeKey({ apiKey: { id, name } }: { readonly apiKey: ApiKey }) {
  const revoke = useChange(() => request<undefined>('DELETE', `${API_KEYS_PATH}/${id}`), apiKeysKey);
  return (
    <DialogButton label="Revoke">
      {(close) => (
        <ConfirmChange title={`Revoke ${name}`} action="Revoke key" look="danger" change={revoke} onClose={close}>
          <p>The key stops working from the next request on, and so do the keys that were created with it.</p>
        </ConfirmChange>
      )}
    </DialogButton>
  );
}
