import { ALLOWED, GATED, listTicked, NEW_WORKFLOW, type FlowValues } from './flow-draft.ts';

const STARTS: Readonly<Record<string, string>> = {
  webhook: 'when its webhook is called, or by hand',
  tracker: 'by events of its tracker, or by hand',
  schedule: 'at its due times, or by hand',
};

/** What will be made, a sentence for each decision. */
export function ReviewFlow({ values }: { readonly values: FlowValues }) {
  const { name, trigger, agent, model = '', minutes, workflow, workflow_name: made } = values;
  const allowed = listTicked(values, ALLOWED);
  const gated = listTicked(values, GATED);
  return (
    <ul>
      <li>
        The flow <strong>{name}</strong> starts {STARTS[trigger ?? ''] ?? 'by hand'}, and may take {minutes} minutes.
      </li>
      <li>
        {agent === 'command'
          ? 'A command of yours does its work.'
          : `The built-in agent does its work, with ${model === '' ? 'the default model' : `the model ${model}`}.`}
      </li>
      {agent !== 'command' && <li>It may call {allowed.length === 0 ? 'no tool' : allowed.join(', ')}.</li>}
      {gated.length > 0 && (
        <li>
          Before each call of {gated.join(', ')} people are asked by{' '}
          {workflow === NEW_WORKFLOW ? `the new workflow ${made}` : workflow}: a rule of the policy says so, in front of
          all others.
        </li>
      )}
      <li>It is enabled.</li>
    </ul>
  );
}
