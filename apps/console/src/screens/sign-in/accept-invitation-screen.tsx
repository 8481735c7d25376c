import { Link, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { send } from '../../api/send.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useForm } from '../../ui/use-form.ts';
import { NewPasswordField } from './new-password-field.tsx';
import styles from './sign-in.module.css';

/** Target of an invitation link: the token after the `#` is read once, and then removed from the address. */
export function AcceptInvitationScreen() {
  const router = useRouter();
  const [token] = useState(() => location.hash.slice(1));
  // The address is not managed by React.
  useEffect(() => {
    router.history.replace('/accept-invitation');
  }, [router]);
  const { error, isBusy, onSubmit } = useForm(async ({ password = '' }) => {
    await send<unknown>('POST', '/api/v1/auth/invitations/accept', { body: { token, password } });
    router.history.push('/login');
  });
  const ofThePassword = error?.field === 'password' ? error.message : undefined;
  return (
    <main className={styles['page']}>
      <div className={styles['card']}>
        <h1>Choose a password</h1>
        {error !== undefined && ofThePassword === undefined && (
          <Notice tone="bad" isNews>
            {error.status === 404
              ? 'This invitation was already used, has expired or was revoked. Ask for a new link.'
              : error.message}
          </Notice>
        )}
        <form onSubmit={onSubmit}>
          <NewPasswordField error={ofThePassword} />
          <Button type="submit" look="primary" aria-busy={isBusy}>
            Accept the invitation
          </Button>
        </form>
        <p>
          Already have a password? <Link to="/login">Sign in</Link>
        </p>
      </div>
    </main>
  );
}
