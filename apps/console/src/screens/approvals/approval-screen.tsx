import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ApprovalRequest } from '../../api/answers.ts';
import { approvalQuery } from '../../queries/approvals.ts';
import { showArguments } from '../../queries/show-request.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import panel from '../../ui/panel.module.css';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { Decide } from './decide.tsx';
import { describeOutcome, nameAgent, STATES } from './describe-request.ts';
import styles from './approvals.module.css';

const route = getRouteApi('/inside/approvals/$requestId');

/** Maximum number of names that the service returns in `may_decide`. */
const MOST_NAMES = 10;

export function ApprovalScreen() {
  const { requestId } = route.useParams();
  const query = useQuery(approvalQuery(requestId));
  return (
    <Page title="Approval" actions={<Link to="/approvals">All approvals</Link>}>
      <Loaded what="the request" query={query}>
        {(request) => <Request request={request} />}
      </Loaded>
    </Page>
  );
}

/** The request, for the person who decides. */
function Request({ request }: { readonly request: ApprovalRequest }) {
  const { rule, votes, runtime_session_id: sessionId } = request;
  const [tone, word] = STATES[request.status];
  const outcome = describeOutcome(request);
  return (
    <div className={styles['request']}>
      <p>
        <StatusBadge tone={tone}>{word}</StatusBadge> {nameAgent(request)} requested permission to call{' '}
        <code>{request.tool_name}</code>
        {request.server === '' ? '' : ` on ${request.server}`}, <TimeAgo at={request.requested_at} />
      </p>
      <p>{request.summary}</p>
      <h2>Arguments</h2>
      <pre className={panel['text']}>{showArguments(request)}</pre>
      {request.reasoning !== null && <p>The agent says: {request.reasoning}</p>}
      {rule !== null && (
        <p>
          Required by: {rule.rule_name ?? rule.rule_id ?? 'default decision'} (policy version {request.policy_version})
        </p>
      )}
      {sessionId !== null && (
        <p>
          <Link to="/sessions/$sessionId" params={{ sessionId }}>
            Activity of the agent so far
          </Link>
        </p>
      )}
      {request.quorum > 1 && (
        <p>
          Votes: {votes.length} of {request.quorum}
        </p>
      )}
      {votes.length > 0 && (
        <ul aria-label="Votes">
          {votes.map((vote) => (
            <li key={vote.user_id}>
              {vote.display}: {vote.decision === 'approve' ? 'approved' : 'declined'} <TimeAgo at={vote.at} />
              {vote.comment === null ? '' : `, ${vote.comment}`}
            </li>
          ))}
        </ul>
      )}
      {request.stuck_reason !== null && (
        <Notice tone="warn" isNews>
          {request.stuck_reason}
        </Notice>
      )}
      {request.may_decide.length > 0 && (
        <p>
          People who may decide: {request.may_decide.join(', ')}
          {request.may_decide.length >= MOST_NAMES && ' and possibly others'}
        </p>
      )}
      {outcome === undefined ? (
        <>
          <p>
            If no decision is reached, the request expires <TimeAgo at={request.expires_at} />.
          </p>
          <Decide requestId={request.id} />
        </>
      ) : (
        <Notice tone="info" isNews>
          {outcome}
        </Notice>
      )}
    </div>
  );
}
