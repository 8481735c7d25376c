import { useState } from 'react';
import type { Invited, ListedUser } from '../../api/answers.ts';
import { request } from '../../api/request.ts';
import { USERS_PATH, usersKey } from '../../queries/people.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { SecretOnce } from '../../ui/secret-once.tsx';
import { useChange } from '../../ui/use-change.ts';
import styles from '../../ui/stack.module.css';
import { ChangeRole } from './change-role.tsx';

type Asked = 'role' | 'activity' | 'invitation' | undefined;

/** What can be done with somebody; what ends something is asked for twice. */
export function UserActions({ user }: { readonly user: ListedUser }) {
  const path = `${USERS_PATH}/${user.id}`;
  const [asked, setAsked] = useState<Asked>();
  const close = (): void => setAsked(undefined);
  const invite = useChange(() => request<Invited>('POST', `${path}/invitation`, { body: {} }), usersKey);
  const activate = useChange(() => request<unknown>('PATCH', path, { body: { is_active: !user.is_active } }), usersKey);
  return (
    <div className={styles['actions']}>
      <Button onClick={() => setAsked('role')}>Change role</Button>
      <Button onClick={() => setAsked('activity')}>{user.is_active ? 'Deactivate' : 'Activate'}</Button>
      {user.is_active && user.is_invited && <Button onClick={() => setAsked('invitation')}>Invite again</Button>}
      {asked === 'role' && <ChangeRole user={user} onClose={close} />}
      {asked === 'activity' && (
        <Confirm
          title={`${user.is_active ? 'Deactivate' : 'Activate'} ${user.username}`}
          action={user.is_active ? 'Deactivate user' : 'Activate user'}
          look={user.is_active ? 'danger' : 'primary'}
          isBusy={activate.isPending}
          error={activate.error}
          onConfirm={() => activate.mutate(undefined, { onSuccess: close })}
          onClose={close}
        >
          <p>
            {user.is_active
              ? 'Their logins, API keys and invitation end for good.'
              : 'They can sign in again; their former API keys stay ended.'}
          </p>
        </Confirm>
      )}
      {asked === 'invitation' && (
        <Confirm
          title={`Invite ${user.username} again`}
          action="Make a new link"
          isBusy={invite.isPending}
          error={invite.error}
          onConfirm={() => invite.mutate(undefined, { onSuccess: close })}
          onClose={close}
        >
          <p>The former link stops working.</p>
        </Confirm>
      )}
      {invite.data !== undefined && <Invitation url={invite.data.invitation.url} onStored={invite.reset} />}
    </div>
  );
}

/** A link that somebody chooses their password by. */
export function Invitation({ url, onStored }: { readonly url: string; readonly onStored: () => void }) {
  return (
    <SecretOnce
      title="Invitation"
      hint="It is shown this once. Whoever has this link chooses the password: hand it to this person alone."
      secret={url}
      onStored={onStored}
    />
  );
}
