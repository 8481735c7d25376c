import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import type { ListedUser } from '../../api/answers.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { USER_KEYS, usersQuery } from '../../queries/people.ts';
import { pickTexts } from '../../search-text.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { Filters } from '../../ui/filters.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { AddUser } from './add-user.tsx';
import { Invitation, UserActions } from './user-actions.tsx';

const route = getRouteApi('/inside/settings/users');

const COLUMNS: readonly Column<ListedUser>[] = [
  { name: 'Name', show: ({ username, full_name: full }) => (full === null ? username : `${username} (${full})`) },
  { name: 'E-mail', show: ({ email }) => email },
  { name: 'Role', show: ({ role }) => role },
  {
    name: 'State',
    show: ({ is_active: isActive, is_invited: isInvited }) =>
      !isActive ? (
        <StatusBadge tone="none">Deactivated</StatusBadge>
      ) : isInvited ? (
        <StatusBadge tone="info">Invited</StatusBadge>
      ) : (
        <StatusBadge tone="ok">Active</StatusBadge>
      ),
  },
  { name: 'Change', show: (user) => <UserActions user={user} /> },
];

export function UsersScreen() {
  const params = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery({ ...usersQuery(params), placeholderData: keepPreviousData });
  const [isAdding, setAdding] = useState(false);
  const [invitation, setInvitation] = useState<string>();
  const refusal = useRefusal('manage_users');

  function filter(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    void navigate({ search: pickTexts(Object.fromEntries(new FormData(event.currentTarget)), USER_KEYS) });
  }

  return (
    <Page
      title="Users"
      actions={
        <Button look="primary" disabledReason={refusal} onClick={() => setAdding(true)}>
          Add user
        </Button>
      }
    >
      <Filters key={JSON.stringify(params)} onSubmit={filter}>
        <label>
          Name or e-mail
          <input name="query" defaultValue={params.query} />
        </label>
        <Button type="submit">Filter</Button>
      </Filters>
      <Loaded what="users" query={query}>
        {({ items, next_cursor: cursor }) => (
          <>
            {items.length === 0 ? (
              <p>Nobody fits this filter.</p>
            ) : (
              <DataTable
                name="Users"
                columns={COLUMNS}
                rows={items}
                keyOf={({ id }) => id}
                isOld={query.isPlaceholderData}
              />
            )}
            {cursor !== null && (
              <Link to="/settings/users" search={{ ...params, cursor }} rel="next">
                Next page
              </Link>
            )}
          </>
        )}
      </Loaded>
      {isAdding && (
        <AddUser
          onClose={() => setAdding(false)}
          onAdded={(user) => {
            setAdding(false);
            setInvitation(user.invitation?.url);
          }}
        />
      )}
      {invitation !== undefined && <Invitation url={invitation} onStored={() => setInvitation(undefined)} />}
    </Page>
  );
}
