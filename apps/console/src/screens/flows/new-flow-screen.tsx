import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { flowChoicesQuery, flowsKey } from '../../queries/flows.ts';
import { policiesKey } from '../../queries/policies.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { FlowForm } from './flow-form.tsx';
import { createFlow, type MadeFlow } from './save-flow.ts';
import { findDraft, TemplateChoice } from './template-choice.tsx';

/** Creates a flow step by step, including the policy rule for tools that need approval. */
export function NewFlowScreen() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const made = useRef<MadeFlow>({});
  const [chosen, setChosen] = useState('');
  const query = useQuery({ ...flowChoicesQuery(), refetchOnWindowFocus: false });
  return (
    <Page title="New flow" actions={<Link to="/flows">All flows</Link>}>
      <Loaded what="the options of a flow" query={query}>
        {(choices) => (
          <>
            {choices.templates.length > 0 && (
              <TemplateChoice templates={choices.templates} chosen={chosen} onChoose={setChosen} />
            )}
            <FlowForm
              key={chosen}
              flow={undefined}
              draft={findDraft(choices.templates, chosen)}
              choices={choices}
              onSend={async (values) => {
                const draft = findDraft(choices.templates, chosen);
                const flowId = await createFlow(values, { tools: choices.tools, draft, made: made.current });
                await Promise.all(
                  [flowsKey(), policiesKey()].map((queryKey) => client.invalidateQueries({ queryKey })),
                );
                await navigate({ to: '/flows/$flowId', params: { flowId }, state: { isNew: true } });
              }}
            />
          </>
        )}
      </Loaded>
    </Page>
  );
}
