import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRefusal } from '../auth/use-permission.ts';
import { overviewQuery } from '../queries/overview.ts';
import { Notice } from '../ui/notice.tsx';

/** Notice that is shown on every screen while no agent of the account may act. */
export function HaltedNotice() {
  const { data } = useQuery(overviewQuery());
  const maySee = useRefusal('view_agents') === undefined;
  if (data?.agents_stopped !== true) return null;
  return (
    <Notice tone="warn" isNews>
      All agents are stopped: the kill switch is engaged.{' '}
      {maySee && <Link to="/settings/kill-switch">Kill switch</Link>}
    </Notice>
  );
}
