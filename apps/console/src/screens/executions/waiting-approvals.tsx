import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRefusal } from '../../auth/use-permission.ts';
import { approvalsOfRunQuery } from '../../queries/approvals.ts';
import { Notice } from '../../ui/notice.tsx';

/** The calls of a run that wait for an approval; renders nothing if there are none. */
export function WaitingApprovals({ executionId }: { readonly executionId: string }) {
  const isAllowed = useRefusal('view_approvals') === undefined;
  const { data } = useQuery({ ...approvalsOfRunQuery(executionId), enabled: isAllowed });
  return data?.items.map(({ id, tool_name: tool }) => (
    <Notice key={id} tone="warn" isNews>
      The run is waiting for a decision on {tool}.{' '}
      <Link to="/approvals/$requestId" params={{ requestId: id }}>
        Open approval
      </Link>
    </Notice>
  ));
}
