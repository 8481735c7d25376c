import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Overview, User } from '../api/answers.ts';
import { overviewQuery } from '../queries/overview.ts';
import { listScreens } from './screens.ts';
import styles from './shell.module.css';

/** Of the screens that count what waits or runs there. */
const COUNTS: Readonly<
  Record<string, { readonly of: Exclude<keyof Overview, 'agents_stopped'>; readonly what: string }>
> = {
  '/approvals': { of: 'pending_approvals', what: 'to decide' },
  '/executions': { of: 'running_executions', what: 'running' },
  '/event-webhooks/dead-letters': { of: 'dead_deliveries', what: 'given up' },
};
/** The service counts no further. */
const MOST = 100;

/** The screens that somebody may see. */
export function Rail({ user }: { readonly user: User }) {
  const { data } = useQuery(overviewQuery());
  return (
    <nav className={styles['rail']} aria-label="Main">
      <ul>
        {listScreens(user.permissions).map(({ to, name }) => {
          const counted = COUNTS[to];
          const count = (counted === undefined ? undefined : data?.[counted.of]) ?? 0;
          return (
            <li key={to}>
              <Link to={to} activeProps={{ 'aria-current': 'page' }}>
                {name}
                {count > 0 && (
                  <span className={styles['count']} title={`${count} ${counted?.what}`}>
                    {count >= MOST ? `${MOST}+` : count}
                  </span>
                )}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
