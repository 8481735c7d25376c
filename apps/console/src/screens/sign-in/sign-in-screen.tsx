import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useRouter } from '@tanstack/react-router';
import { countNoun } from '@steward/text';
import type { ApiError } from '../../api/api-error.ts';
import { readNextPath } from '../../auth/next-path.ts';
import { signIn } from '../../auth/session.ts';
import { deploymentQuery } from '../../queries/deployment.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useForm } from '../../ui/use-form.ts';
import styles from './sign-in.module.css';

const route = getRouteApi('/login');

export function SignInScreen() {
  const { next } = route.useSearch();
  const router = useRouter();
  // The registration link is shown unless it is known that registration is closed.
  const isOpen = useQuery(deploymentQuery()).data?.registration_enabled !== false;
  const { error, isBusy, onSubmit } = useForm(async ({ username = '', password = '' }) => {
    await signIn(username, password);
    router.history.push(readNextPath(next));
  });
  return (
    <main className={styles['page']}>
      <div className={styles['card']}>
        <h1>Sign in to Steward</h1>
        {error !== undefined && (
          <Notice tone="bad" isNews>
            {describeRefusal(error)}
          </Notice>
        )}
        <form onSubmit={onSubmit}>
          <Field label="Username or email" name="username" autoComplete="username" required />
          <Field label="Password" name="password" type="password" autoComplete="current-password" required />
          <Button type="submit" look="primary" aria-busy={isBusy}>
            Sign in
          </Button>
        </form>
        {isOpen && (
          <p>
            No account exists yet? <Link to="/register">Create the first account</Link>
          </p>
        )}
      </div>
    </main>
  );
}

/** Describes a refused login. The text does not show whether the username or the password was wrong. */
function describeRefusal(error: ApiError): string {
  if (error.status === 401) return 'The username or password is wrong.';
  if (error.status !== 429) return error.message;
  return `Too many attempts. Try again in ${countNoun(error.retryAfterSeconds ?? 60, 'second')}.`;
}
