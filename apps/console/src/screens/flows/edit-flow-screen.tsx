import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { flowChoicesQuery, flowQuery, flowsKey } from '../../queries/flows.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { FlowForm } from './flow-form.tsx';
import { updateFlow } from './save-flow.ts';

const route = getRouteApi('/inside/flows/$flowId/edit');

export function EditFlowScreen() {
  const { flowId } = route.useParams();
  const client = useQueryClient();
  const navigate = useNavigate();
  const flow = useQuery({ ...flowQuery(flowId), refetchOnWindowFocus: false });
  const choices = useQuery({ ...flowChoicesQuery(), refetchOnWindowFocus: false });
  return (
    <Page
      title={flow.data === undefined ? 'Edit flow' : `Edit ${flow.data.name}`}
      actions={
        <Link to="/flows/$flowId" params={{ flowId }}>
          The flow
        </Link>
      }
    >
      <Loaded what="the flow" query={flow}>
        {(found) => (
          <Loaded what="the options of a flow" query={choices}>
            {(offered) => (
              <FlowForm
                flow={found}
                choices={offered}
                onSend={async (values) => {
                  await updateFlow(found, values);
                  await client.invalidateQueries({ queryKey: flowsKey() });
                  await navigate({ to: '/flows/$flowId', params: { flowId } });
                }}
              />
            )}
          </Loaded>
        )}
      </Loaded>
    </Page>
  );
}
