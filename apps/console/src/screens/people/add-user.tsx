import type { CreatedUser } from '../../api/answers.ts';
import { request } from '../../api/request.ts';
import { USERS_PATH, usersKey } from '../../queries/people.ts';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { RoleField } from './role-field.tsx';

interface Props {
  readonly onClose: () => void;
  readonly onAdded: (user: CreatedUser) => void;
}

/**
 * Adds a user. With a password, the user can sign in at once; otherwise, the user chooses a password by means of an
 * invitation link.
 */
export function AddUser({ onClose, onAdded }: Props) {
  function add({ username = '', email = '', role = '', password = '' }): Promise<CreatedUser> {
    const body = { username, email, role, ...(password !== '' && { password }) };
    return request<CreatedUser>('POST', USERS_PATH, { body });
  }
  return (
    <FormDialog title="Add user" action="Add user" onClose={onClose} onSend={add} touches={usersKey} onSent={onAdded}>
      {(errorOf) => (
        <>
          <Field label="Username" name="username" autoComplete="off" required error={errorOf('username')} />
          <Field label="Email" name="email" type="email" autoComplete="off" required error={errorOf('email')} />
          <RoleField chosen="viewer" error={errorOf('role')} />
          <Field
            label="Password"
            name="password"
            type="password"
            autoComplete="new-password"
            hint="Leave empty to let the user choose a password with an invitation link, which you pass on to the user."
            error={errorOf('password')}
          />
        </>
      )}
    </FormDialog>
  );
}
