import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { ListedUser } from '../../api/answers.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { USER_KEYS, usersQuery } from '../../queries/people.ts';
import type { Column } from '../../ui/data-table.tsx';
import { DialogButton } from '../../ui/dialog-button.tsx';
import { FilterForm } from '../../ui/filters.tsx';
import { ListPage } from '../../ui/list-page.tsx';
import { NoneMatch } from '../../ui/none-match.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { AddUser } from './add-user.tsx';
import { Invitation, UserActions } from './user-actions.tsx';

const route = getRouteApi('/inside/settings/users');

const COLUMNS: readonly Column<ListedUser>[] = [
  { name: 'Name', show: ({ username, full_name: full }) => (full === null ? username : `${username} (${full})`) },
  { name: 'Email', show: ({ email }) => email },
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
  const [invitation, setInvitation] = useState<string>();
  const refusal = useRefusal('manage_users');
  return (
    <ListPage
      name="Users"
      what="users"
      columns={COLUMNS}
      query={query}
      empty={<NoneMatch what="users" />}
      actions={
        <DialogButton label="Add user" look="primary" disabledReason={refusal}>
          {(close) => <AddUser onClose={close} onAdded={(user) => setInvitation(user.invitation?.url)} />}
        </DialogButton>
      }
    >
      <FilterForm keys={USER_KEYS} params={params} onFilter={(search) => void navigate({ search })}>
        <label>
          Name or email
          <input name="query" defaultValue={params.query} />
        </label>
      </FilterForm>
      {invitation !== undefined && <Invitation url={invitation} onStored={() => setInvitation(undefined)} />}
    </ListPage>
  );
}
