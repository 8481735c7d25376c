import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Role } from '../../api/answers.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { rolesQuery } from '../../queries/people.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import styles from '../../ui/stack.module.css';
import { DeleteRole } from './delete-role.tsx';
import { RoleDialog } from './role-dialog.tsx';

const COLUMNS: readonly Column<Role>[] = [
  { name: 'Role', show: ({ name }) => name },
  { name: 'Made by', show: ({ is_system: isSystem }) => (isSystem ? 'Steward' : 'this account') },
  { name: 'May', isWide: true, show: ({ permissions }) => permissions.join(', ').replaceAll('_', ' ') || 'nothing' },
];

export function RolesScreen() {
  const query = useQuery(rolesQuery());
  const [isCreating, setCreating] = useState(false);
  const [asked, setAsked] = useState<{ readonly what: 'edit' | 'delete'; readonly role: Role }>();
  const refusal = useRefusal('manage_users');
  const columns: readonly Column<Role>[] = [
    ...COLUMNS,
    {
      name: 'Change',
      show: (role) =>
        role.is_system ? (
          ''
        ) : (
          <div className={styles['actions']}>
            <Button disabledReason={refusal} onClick={() => setAsked({ what: 'edit', role })}>
              Edit
            </Button>
            <Button look="danger" disabledReason={refusal} onClick={() => setAsked({ what: 'delete', role })}>
              Delete
            </Button>
          </div>
        ),
    },
  ];
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
        {({ items }) => <DataTable name="Roles" columns={columns} rows={items} keyOf={({ id }) => id} />}
      </Loaded>
      {isCreating && <RoleDialog role={undefined} onClose={() => setCreating(false)} />}
      {asked?.what === 'edit' && <RoleDialog role={asked.role} onClose={() => setAsked(undefined)} />}
      {asked?.what === 'delete' && <DeleteRole role={asked.role} onClose={() => setAsked(undefined)} />}
    </Page>
  );
}
