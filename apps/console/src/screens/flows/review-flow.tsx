import { describeTools } from './describe-tools.ts';
import { ALLOWED, GATED, listTicked, NEW_WORKFLOW, type FlowValues } from './flow-draft.ts';

const STARTS: Readonly<Record<string, string>> = {
  webhook: 'when its webhook is called, or manually',
  tracker: 'on events from its tracker, or manually',
  schedule: 'at its due times, or manually',
};

/** A summary of the new flow, one sentence per decision. */
export function ReviewFlow({ values }: { readonly values: FlowValues }) {
  const { name, trigger, agent, model = '', minutes, workflow, workflow_name: made } = values;
  const allowed = listTicked(values, ALLOWED);
  const gated = listTicked(values, GATED);
  return (
    <ul>
      <li>
        The flow <strong>{name}</strong> starts {STARTS[trigger ?? ''] ?? 'manually'}, and may run for up to {minutes}{' '}
        {minutes === '1' ? 'minute' : 'minutes'}.
      </li>
      <li>
        {agent === 'command'
          ? 'A custom command does the work.'
          : `The built-in agent does the work, with ${model === '' ? 'the default model' : `the model ${model}`}.`}
      </li>
      {agent !== 'command' && <li>{describeTools(allowed)}</li>}
      {gated.length > 0 && (
        <li>
          Each call of {gated.join(', ')} requires approval through{' '}
          {workflow === NEW_WORKFLOW ? `the new workflow ${made}` : workflow}; a policy rule that requires this approval
          is added before all other rules.
        </li>
      )}
      <li>The flow is enabled.</li>
    </ul>
  );
}
