import type { Invited, ListedUser } from '../../api/answers.ts';
import { request } from '../../api/request.ts';
import { USERS_PATH, usersKey } from '../../queries/people.ts';
import { ConfirmChange } from '../../ui/confirm-change.tsx';
import { DialogButton } from '../../ui/dialog-button.tsx';
import { SecretOnce } from '../../ui/secret-once.tsx';
import { useChange } from '../../ui/use-change.ts';
import styles from '../../ui/stack.module.css';
import { ChangeRole } from './change-role.tsx';

/** Actions on a user; all except the change of the role ask for a confirmation. */
export function UserActions({ user }: { readonly user: ListedUser }) {
  const path = `${USERS_PATH}/${user.id}`;
  const invite = useChange(() => request<Invited>('POST', `${path}/invitation`, { body: {} }), usersKey);
  const activate = useChange(() => request<unknown>('PATCH', path, { body: { is_active: !user.is_active } }), usersKey);
  const activation = user.is_active ? 'Deactivate' : 'Activate';
  return (
    <div className={styles['actions']}>
      <DialogButton label="Change role">{(close) => <ChangeRole user={user} onClose={close} />}</DialogButton>
      <DialogButton label={activation}>
        {(close) => (
          <ConfirmChange
            title={`${activation} ${user.username}`}
            action={`${activation} user`}
            look={user.is_active ? 'danger' : 'primary'}
            change={activate}
            onClose={close}
          >
            <p>
              {user.is_active
                ? 'The logins, API keys and invitation of this user are permanently revoked.'
                : user.is_invited
                  ? 'The user can be invited again; the previous invitation stays revoked.'
                  : 'The user can sign in again; previous API keys stay revoked.'}
            </p>
          </ConfirmChange>
        )}
      </DialogButton>
      {user.is_active && user.is_invited && (
        <DialogButton label="Invite again">
          {(close) => (
            <ConfirmChange
              title={`Invite ${user.username} again`}
              action="Create a new link"
              change={invite}
              onClose={close}
            >
              <p>The previous link stops working.</p>
            </ConfirmChange>
          )}
        </DialogButton>
      )}
      {invite.data !== undefined && <Invitation url={invite.data.invitation.url} onStored={invite.reset} />}
    </div>
  );
}

/** A link with which a user chooses their password. */
export function Invitation({ url, onStored }: { readonly url: string; readonly onStored: () => void }) {
  return (
    <SecretOnce
      title="Invitation"
      hint="The link is shown only once. Anyone with this link can choose the password: give it only to this user."
      secret={url}
      onStored={onStored}
    />
  );
}
