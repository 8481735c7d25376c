import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { flowChoicesQuery, flowsKey } from '../../queries/flows.ts';
import { policiesKey } from '../../queries/policies.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { FlowForm } from './flow-form.tsx';
import { createFlow, type MadeFlow } from './save-flow.ts';

/** A flow is made step by step, the rule that has people asked about its tools with it. */
export function NewFlowScreen() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const made = useRef<MadeFlow>({});
  const query = useQuery({ ...flowChoicesQuery(), refetchOnWindowFocus: false });
  return (
    <Page title="New flow" actions={<Link to="/flows">All flows</Link>}>
      <Loaded what="what a flow may be made of" query={query}>
        {(choices) => (
          <FlowForm
            flow={undefined}
            choices={choices}
            onSend={async (values) => {
              const flowId = await createFlow(values, choices.tools, made.current);
              await Promise.all([flowsKey(), policiesKey()].map((queryKey) => client.invalidateQueries({ queryKey })));
              await navigate({ to: '/flows/$flowId', params: { flowId }, state: { isNew: true } });
            }}
          />
        )}
      </Loaded>
    </Page>
  );
}
