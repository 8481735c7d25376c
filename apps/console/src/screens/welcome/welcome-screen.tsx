import { Link, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { useSession } from '../../auth/session.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Page } from '../../ui/page.tsx';
import { DEMO_QUERY, loadDemo } from './load-demo.ts';
import styles from './welcome.module.css';

interface Progress {
  readonly stored: number;
  readonly total: number;
}

/** The first page of a new account: the user can load demo data, and then sees the results of a first search. */
export function WelcomeScreen() {
  const session = useSession();
  const router = useRouter();
  const [progress, setProgress] = useState<Progress>();
  const [error, setError] = useState<unknown>();
  const mayStore = session.kind === 'signed-in' && session.user.permissions.includes('manage_runtime_sessions');

  async function load(): Promise<void> {
    setError(undefined);
    setProgress({ stored: 0, total: 1 });
    try {
      await loadDemo((stored, total) => setProgress({ stored, total }));
      await router.navigate({ to: '/search', search: { q: DEMO_QUERY } });
    } catch (thrown) {
      setError(thrown);
    } finally {
      setProgress(undefined);
    }
  }

  return (
    <Page title="Welcome to Steward">
      <div className={styles['welcome']}>
        <p>
          Steward stores what agents do and makes it searchable. Load a recorded session of a coding agent and search
          it: the phrase <code>{DEMO_QUERY}</code> occurs in it.
        </p>
        {progress === undefined ? (
          <Button
            look="primary"
            disabledReason={mayStore ? undefined : 'needs the permission manage_runtime_sessions'}
            onClick={() => void load()}
          >
            Load demo data
          </Button>
        ) : (
          <label className={styles['progress']}>
            Storing the session
            <progress value={progress.stored} max={progress.total} />
          </label>
        )}
        {error !== undefined && <ErrorState error={error} onRetry={() => void load()} />}
        <p>
          To start with your own data, let agents store sessions through the <a href="/docs/api">API</a>, then{' '}
          <Link to="/search">search sessions</Link>.
        </p>
      </div>
    </Page>
  );
}
