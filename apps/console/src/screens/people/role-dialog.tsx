import type { Role } from '../../api/answers.ts';
import { saveItem } from '../../api/save-item.ts';
import { useSession } from '../../auth/session.ts';
import { ROLES_PATH, rolesKey } from '../../queries/people.ts';
import { CheckList } from '../../ui/check-list.tsx';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';

interface Props {
  /** The role to change; undefined for a new one. The name never changes. */
  readonly role: Role | undefined;
  readonly onClose: () => void;
}

/** Creates or changes a role. Users can grant only permissions that they have. */
export function RoleDialog({ role, onClose }: Props) {
  const session = useSession();
  const own = session.kind === 'signed-in' ? session.user.permissions : [];
  const title = role === undefined ? 'Create role' : `Edit ${role.name}`;
  function send(values: Readonly<Record<string, string>>): Promise<Role> {
    const permissions = own.filter((permission) => permission in values);
    return saveItem<Role>(ROLES_PATH, role, { ...(role === undefined && { name: values['name'] ?? '' }), permissions });
  }
  return (
    <FormDialog
      title={title}
      action={role === undefined ? title : 'Save role'}
      onClose={onClose}
      onSend={send}
      touches={rolesKey}
    >
      {(errorOf) => (
        <>
          {role === undefined && <Field label="Name" name="name" maxLength={50} required error={errorOf('name')} />}
          <CheckList legend="Permissions" names={own} ticked={role?.permissions ?? []} />
        </>
      )}
    </FormDialog>
  );
}
