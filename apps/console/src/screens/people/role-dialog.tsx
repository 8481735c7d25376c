import type { Role } from '../../api/answers.ts';
import { request } from '../../api/request.ts';
import { useSession } from '../../auth/session.ts';
import { rolePath, ROLES_PATH, rolesKey } from '../../queries/people.ts';
import { CheckList } from '../../ui/check-list.tsx';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';

interface Props {
  /** Undefined: a new role. The name never changes. */
  readonly role: Role | undefined;
  readonly onClose: () => void;
}

/** Limited to the permissions of its creator: nobody can grant more than they have. */
export function RoleDialog({ role, onClose }: Props) {
  const session = useSession();
  const own = session.kind === 'signed-in' ? session.user.permissions : [];
  const title = role === undefined ? 'Create role' : `Edit ${role.name}`;
  function send(values: Readonly<Record<string, string>>): Promise<Role> {
    const permissions = own.filter((permission) => permission in values);
    return role === undefined
      ? request<Role>('POST', ROLES_PATH, { body: { name: values['name'] ?? '', permissions } })
      : request<Role>('PATCH', rolePath(role.id), { body: { permissions } });
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
