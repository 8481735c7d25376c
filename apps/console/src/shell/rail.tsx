import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { useRef } from 'react';
import type { Overview, User } from '../api/answers.ts';
import { useIsOperator } from '../queries/deployment.ts';
import { overviewQuery } from '../queries/overview.ts';
import { findScreen, listScreens, type SCREENS } from './screens.ts';
import styles from './shell.module.css';

/** Screens with a count of pending, running or permanently failed items. */
const COUNTS: Readonly<
  Record<string, { readonly of: Exclude<keyof Overview, 'agents_stopped'>; readonly what: string }>
> = {
  '/approvals': { of: 'pending_approvals', what: 'to decide' },
  '/executions': { of: 'running_executions', what: 'running' },
  '/event-webhooks/dead-letters': { of: 'dead_deliveries', what: 'failed permanently' },
};
/** Maximum number of items that the service counts. */
const MOST = 100;

interface Props {
  readonly user: User;
  /** Id of the drawer that contains the navigation in a narrow window; a button in the top bar opens it. */
  readonly drawerId: string | undefined;
}

/** The screens that the user may see, grouped by subject. */
export function Rail({ user, drawerId }: Props) {
  const place = useRef<HTMLElement>(null);
  const current = useLocation({ select: ({ pathname }) => findScreen(pathname)?.to });
  const screens = listScreens(user.permissions, useIsOperator());
  const groups = [...new Set(screens.map(({ group }) => group))];
  return (
    <nav
      ref={place}
      className={styles['rail']}
      aria-label="Main"
      id={drawerId}
      popover={drawerId === undefined ? undefined : 'auto'}
    >
      {groups.map((group) => (
        <section key={group} aria-label={group}>
          <p className={styles['group']} aria-hidden="true">
            {group}
          </p>
          <ul>
            {screens
              .filter((screen) => screen.group === group)
              .map(({ to, name }) => (
                <li key={to}>
                  <Link
                    to={to}
                    activeOptions={{ exact: to !== current }}
                    activeProps={{ 'aria-current': 'page' }}
                    onClick={() => {
                      if (drawerId !== undefined) place.current?.hidePopover();
                    }}
                  >
                    {name}
                    <Count to={to} />
                  </Link>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}

function Count({ to }: { readonly to: (typeof SCREENS)[number]['to'] }) {
  const { data } = useQuery(overviewQuery());
  const counted = COUNTS[to];
  const count = (counted === undefined ? undefined : data?.[counted.of]) ?? 0;
  if (count === 0) return null;
  return (
    <span className={styles['count']} title={`${count} ${counted?.what}`}>
      {count >= MOST ? `${MOST}+` : count}
    </span>
  );
}
