import { useState } from 'react';
import { request } from '../../api/request.ts';
import { signOut, useSession } from '../../auth/session.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmChange } from '../../ui/confirm-change.tsx';
import { DialogButton } from '../../ui/dialog-button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Field } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { useChange } from '../../ui/use-change.ts';
import { useForm } from '../../ui/use-form.ts';
import { Logins } from './logins.tsx';
import { Push } from './push.tsx';
import styles from './settings.module.css';

/** Profile, password, notices and logins of the signed-in user. */
export function AccountScreen() {
  const session = useSession();
  return (
    <Page title="Account">
      {session.kind === 'signed-in' && (
        <p className={styles['fine']}>
          {session.user.username}, {session.user.email}, {session.user.role}
        </p>
      )}
      <ChangePassword />
      <Push />
      <EndLogins />
    </Page>
  );
}

function ChangePassword() {
  const [isChanged, setChanged] = useState(false);
  const { error, isBusy, onSubmit } = useForm(async ({ current = '', next = '' }) => {
    setChanged(false);
    await request<unknown>('PUT', '/api/v1/users/me/password', {
      body: { current_password: current, new_password: next },
    });
    setChanged(true);
  });
  const errorOf = (field: string) => (error?.field === field ? error.message : undefined);
  const isOfAField = errorOf('current_password') !== undefined || errorOf('new_password') !== undefined;
  return (
    <section className={styles['part']} aria-label="Password">
      <h2>Password</h2>
      <form className={styles['form']} onSubmit={onSubmit}>
        <Field
          label="Current password"
          name="current"
          type="password"
          autoComplete="current-password"
          required
          error={errorOf('current_password')}
        />
        <Field
          label="New password"
          name="next"
          type="password"
          autoComplete="new-password"
          minLength={8}
          required
          hint="At least 8 characters."
          error={errorOf('new_password')}
        />
        {error !== undefined && !isOfAField && <ErrorState error={error} />}
        {isChanged && (
          <Notice tone="ok" isNews>
            The password has been changed; your other logins have ended.
          </Notice>
        )}
        <Button type="submit" look="primary" aria-busy={isBusy}>
          Change password
        </Button>
      </form>
    </section>
  );
}

function EndLogins() {
  const end = useChange(
    async () => {
      await request<undefined>('POST', '/api/v1/auth/sessions/revoke-all', { body: {} });
      await signOut().catch(() => undefined);
    },
    () => ['nobody'],
  );
  return (
    <section className={styles['wide']} aria-label="Logins">
      <h2>Logins</h2>
      <Logins />
      <DialogButton label="Sign out everywhere" look="danger">
        {(close) => (
          <ConfirmChange title="Sign out everywhere" action="End all logins" look="danger" change={end} onClose={close}>
            <p>
              You have to sign in again in all browsers and on all machines with the command-line client. API keys stay
              valid.
            </p>
          </ConfirmChange>
        )}
      </DialogButton>
    </section>
  );
}
