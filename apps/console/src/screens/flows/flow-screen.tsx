import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useLocation } from '@tanstack/react-router';
import type { Flow } from '../../api/answers.ts';
import { request } from '../../api/request.ts';
import { useRefusal } from '../../auth/use-permission.ts';
import { flowPath, flowQuery, flowsKey } from '../../queries/flows.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import panel from '../../ui/panel.module.css';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { useChange } from '../../ui/use-change.ts';
import styles from './flows.module.css';
import { Arrivals } from './arrivals.tsx';
import { DeleteFlow } from './delete-flow.tsx';
import { RecentRuns } from './recent-runs.tsx';
import { RunFlow } from './run-flow.tsx';
import { Schedule } from './schedule.tsx';
import { TrackerRegistration } from './tracker-registration.tsx';
import { WebhookAddress } from './webhook-address.tsx';

const route = getRouteApi('/inside/flows/$flowId');

export function FlowScreen() {
  const { flowId } = route.useParams();
  const isNew = useLocation({ select: ({ state }) => state.isNew === true });
  const query = useQuery(flowQuery(flowId));
  return (
    <Page title={query.data?.name ?? 'Flow'} actions={<Link to="/flows">All flows</Link>}>
      <Loaded what="the flow" query={query}>
        {(flow) => (
          <>
            {isNew && (
              <Notice tone="ok" isNews>
                The flow has been created. Run it below to try it. If one of its calls waits for approval, the run links
                to the approval request.
              </Notice>
            )}
            <FlowCard flow={flow} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function FlowCard({ flow }: { readonly flow: Flow }) {
  const refusal = useRefusal('edit_flows');
  const save = useChange(
    (isEnabled: boolean) => request<Flow>('PATCH', flowPath(flow.id), { body: { is_enabled: isEnabled } }),
    flowsKey,
  );
  const secret = flow.webhook_config?.webhook_secret;
  return (
    <div className={styles['flow']}>
      <p>
        <StatusBadge tone={flow.is_enabled ? 'ok' : 'none'}>{flow.is_enabled ? 'Enabled' : 'Disabled'}</StatusBadge>{' '}
        {flow.description}
      </p>
      <div className={styles['actions']}>
        <Button disabledReason={refusal} aria-busy={save.isPending} onClick={() => save.mutate(!flow.is_enabled)}>
          {flow.is_enabled ? 'Disable' : 'Enable'}
        </Button>
        <Link to="/flows/$flowId/edit" params={{ flowId: flow.id }}>
          Edit
        </Link>
        <DeleteFlow flow={flow} />
        <Link to="/executions" search={{ flow: flow.id }}>
          Executions of this flow
        </Link>
      </div>
      {save.error !== null && <ErrorState error={save.error} />}
      {flow.tracker_config !== null && <TrackerRegistration flowId={flow.id} tracker={flow.tracker_config} />}
      {secret !== undefined && flow.tracker_config === null && <WebhookAddress flowId={flow.id} secret={secret} />}
      {flow.schedule_config !== null && flow.trigger !== 'manual' && <Schedule flow={flow} />}
      <h2>Prompt</h2>
      <pre className={panel['text']}>{flow.prompt_template}</pre>
      <RunFlow flow={flow} />
      <RecentRuns flowId={flow.id} />
      {flow.webhook_config?.source !== undefined && <Arrivals flowId={flow.id} />}
    </div>
  );
}
