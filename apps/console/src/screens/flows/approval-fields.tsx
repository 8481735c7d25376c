import { useState } from 'react';
import type { FlowChoices } from '../../queries/flows.ts';
import { Field } from '../../ui/field.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { NEW_WORKFLOW } from './flow-draft.ts';

interface Props {
  readonly workflows: FlowChoices['workflows'];
  readonly errorOf: (field: string) => string | undefined;
}

/** Fields for the approval workflow of the calls: the choice of an existing workflow, or the details of a new one. */
export function ApprovalFields({ workflows, errorOf }: Props) {
  const [workflow, setWorkflow] = useState(workflows[0]?.name ?? NEW_WORKFLOW);
  return (
    <>
      <SelectField
        label="Workflow"
        name="workflow"
        options={{ ...Object.fromEntries(workflows.map(({ name }) => [name, name])), [NEW_WORKFLOW]: 'New workflow' }}
        value={workflow}
        onChange={(event) => setWorkflow(event.currentTarget.value)}
      />
      {workflow === NEW_WORKFLOW && (
        <>
          <p>Every user who may decide on requests is an approver. Notifications are configured in the workflow.</p>
          <Field
            label="Name of the workflow"
            name="workflow_name"
            required
            maxLength={120}
            error={errorOf('workflow_name')}
          />
          <Field label="Required approvals" name="quorum" type="number" min={1} max={10} required defaultValue={1} />
          <Field
            label="Minutes until the request expires"
            name="expires"
            type="number"
            min={1}
            max={10_080}
            required
            defaultValue={60}
          />
        </>
      )}
    </>
  );
}
