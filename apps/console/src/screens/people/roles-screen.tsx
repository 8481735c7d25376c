import { useQuery } from '@tanstack/react-query';
import type { Role } from '../../api/answers.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { rolesQuery } from '../../queries/people.ts';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { DialogButton } from '../../ui/dialog-button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import styles from '../../ui/stack.module.css';
import { DeleteRole } from './delete-role.tsx';
import { RoleDialog } from './role-dialog.tsx';

const COLUMNS: readonly Column<Role>[] = [
  { name: 'Role', show: ({ name }) => name },
  { name: 'Created by', show: ({ is_system: isSystem }) => (isSystem ? 'Steward' : 'this account') },
  {
    name: 'Permissions',
    isWide: true,
    show: ({ permissions }) => permissions.join(', ').replaceAll('_', ' ') || 'nothing',
  },
];

export function RolesScreen() {
  const query = useQuery(rolesQuery());
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
            <DialogButton label="Edit" disabledReason={refusal}>
              {(close) => <RoleDialog role={role} onClose={close} />}
            </DialogButton>
            <DialogButton label="Delete" look="danger" disabledReason={refusal}>
              {(close) => <DeleteRole role={role} onClose={close} />}
            </DialogButton>
          </div>
        ),
    },
  ];
  return (
    <Page
      title="Roles"
      actions={
        <DialogButton label="Create role" look="primary" disabledReason={refusal}>
          {(close) => <RoleDialog role={undefined} onClose={close} />}
        </DialogButton>
      }
    >
      <Loaded what="roles" query={query}>
        {({ items }) => <DataTable name="Roles" columns={columns} rows={items} keyOf={({ id }) => id} />}
      </Loaded>
    </Page>
  );
}
