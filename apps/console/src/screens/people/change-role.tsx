import type { ListedUser } from '../../api/answers.ts';
import { request } from '../../api/request.ts';
import { USERS_PATH, usersKey } from '../../queries/people.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { RoleField } from './role-field.tsx';

/** Changes a user's role; the change applies to the user's next request, without another login. */
export function ChangeRole({ user, onClose }: { readonly user: ListedUser; readonly onClose: () => void }) {
  const change = ({ role = '' }) => request<unknown>('PATCH', `${USERS_PATH}/${user.id}`, { body: { role } });
  return (
    <FormDialog
      title={`Role of ${user.username}`}
      action="Change role"
      onClose={onClose}
      onSend={change}
      touches={usersKey}
    >
      {(errorOf) => <RoleField chosen={user.role} error={errorOf('role')} />}
    </FormDialog>
  );
}
