import { Link, useRouter } from '@tanstack/react-router';
import { send } from '../../api/send.ts';
import { signIn } from '../../auth/session.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useForm } from '../../ui/use-form.ts';
import { NewPasswordField } from './new-password-field.tsx';
import styles from './sign-in.module.css';

const FIELDS = ['username', 'email', 'password'];

export function RegisterScreen() {
  const router = useRouter();
  const { error, isBusy, onSubmit } = useForm(async ({ username = '', email = '', password = '' }) => {
    await send<unknown>('POST', '/api/v1/auth/register', { body: { username, email, password } });
    await signIn(username, password);
    router.history.push('/welcome');
  });
  const errorOf = (name: string) => (error?.field === name ? error.message : undefined);
  return (
    <main className={styles['page']}>
      <div className={styles['card']}>
        <h1>Create an account</h1>
        {error?.code === 'registration_closed' ? (
          <Notice tone="warn" isNews>
            Registration is closed in this deployment. Ask one of its users to add you.
          </Notice>
        ) : (
          error !== undefined &&
          !FIELDS.includes(error.field ?? '') && (
            <Notice tone="bad" isNews>
              {error.message}
            </Notice>
          )
        )}
        <form onSubmit={onSubmit}>
          <Field label="Username" name="username" autoComplete="username" required error={errorOf('username')} />
          <Field label="Email" name="email" type="email" autoComplete="email" required error={errorOf('email')} />
          <NewPasswordField error={errorOf('password')} />
          <Button type="submit" look="primary" aria-busy={isBusy}>
            Create account
          </Button>
        </form>
        <p>
          Already have an account? <Link to="/login">Sign in</Link>
        </p>
      </div>
    </main>
  );
}
