import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Role } from '../../api/answers.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { rolesQuery } from '../../queries/people.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { CreateRole } from './create-role.tsx';

const COLUMNS: readonly Column<Role>[] = [
  { name: 'Role', show: ({ name }) => name },
  { name: 'Made by', show: ({ is_system: isSystem }) => (isSystem ? 'Steward' : 'this account') },
  { name: 'May', show: ({ permissions }) => permissions.join(', ').replaceAll('_', ' ') || 'nothing' },
];

export function RolesScreen() {
  const query = useQuery(rolesQuery());
  const [isCreating, setCreating] = useState(false);
  const refusal = useRefusal('manage_users');
  return (
    <Page
      title="Roles"
      actions={
        <Button look="primary" disabledReason={refusal} onClick={() => setCreating(true)}>
          Create role
        </Button>
      }
    >
      <Loaded what="roles" query={query}>
        {({ items }) => <DataTable name="Roles" columns={COLUMNS} rows={items} keyOf={({ id }) => id} />}
      </Loaded>
      {isCreating && <CreateRole onClose={() => setCreating(false)} />}
    </Page>
  );
}
