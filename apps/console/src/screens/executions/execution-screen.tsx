import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { Execution } from '../../api/answers.ts';
import { executionQuery, isOver } from '../../queries/executions.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { Evidence } from './evidence.tsx';
import { ExecutionActions } from './execution-actions.tsx';
import { ExecutionState } from './execution-state.tsx';
import styles from './executions.module.css';
import { LogView } from './log-view.tsx';
import { WaitingApprovals } from './waiting-approvals.tsx';

const route = getRouteApi('/inside/executions/$executionId');

export function ExecutionScreen() {
  const { executionId } = route.useParams();
  const query = useQuery(executionQuery(executionId));
  return (
    <Page title={query.data?.flow_name ?? 'Execution'} actions={<Link to="/executions">All executions</Link>}>
      <Loaded what="the execution" query={query}>
        {(execution) => <Facts execution={execution} />}
      </Loaded>
      {query.data !== undefined && <LogView key={executionId} executionId={executionId} isOver={isOver(query.data)} />}
    </Page>
  );
}

function Facts({ execution }: { readonly execution: Execution }) {
  const { failure_category: category, error_message: message, result } = execution;
  const sessionId = execution.runtime_session_id;
  return (
    <div className={styles['facts']}>
      {category !== null && (
        <Notice tone="bad">
          {category.replaceAll('_', ' ')}
          {message === null ? '' : `: ${message}`}
        </Notice>
      )}
      <p>
        <ExecutionState status={execution.status} /> requested <TimeAgo at={execution.created_at} />
        {execution.finished_at !== null && (
          <>
            , ended <TimeAgo at={execution.finished_at} />
          </>
        )}
        , trigger: {execution.trigger_type}
      </p>
      {!isOver(execution) && <WaitingApprovals executionId={execution.id} />}
      <ExecutionActions execution={execution} />
      {sessionId !== null && (
        <p>
          <Link to="/sessions/$sessionId" params={{ sessionId }}>
            Session of the run
          </Link>
        </p>
      )}
      <Part title="Payload" value={execution.trigger_event_details} />
      <Part title="Prompt" value={execution.resolved_input_prompt} />
      <Part title="Result" value={result} isOpen />
      <Evidence execution={execution} />
    </div>
  );
}

interface PartProps {
  readonly title: string;
  readonly value: unknown;
  readonly isOpen?: boolean;
}

function Part({ title, value, isOpen = false }: PartProps) {
  if (value === null || value === undefined) return null;
  return (
    <details open={isOpen}>
      <summary>{title}</summary>
      <pre className={styles['part']}>{typeof value === 'string' ? value : JSON.stringify(value, null, 2)}</pre>
    </details>
  );
}
