import { useState } from 'react';
import type { PolicyTrial } from '../../api/answers.ts';
import { ApiError } from '../../api/api-error.ts';
import { tryCall } from '../../queries/policies.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Field } from '../../ui/field.tsx';
import stack from '../../ui/stack.module.css';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useForm } from '../../ui/use-form.ts';
import { DECISIONS } from './decisions.ts';

type Traced = PolicyTrial['trace'][number];

const COLUMNS: readonly Column<Traced>[] = [
  { name: 'Rule', show: ({ id }) => <code>{id}</code> },
  { name: 'Matches', show: ({ matched }) => (matched ? 'yes' : 'no') },
  { name: 'Condition', show: ({ condition_value: value, error }) => error ?? (value === null ? '' : String(value)) },
  { name: 'Result', show: ({ description }) => description },
];

/** Shows the decision of the edited policy about a call. No call is made. */
export function TryCall({ text }: { readonly text: string }) {
  const [trial, setTrial] = useState<PolicyTrial>();
  const { error, isBusy, onSubmit } = useForm(async ({ tool = '', server = '', args = '', kind = '' }) => {
    setTrial(
      await tryCall({
        tool_name: tool,
        ...(server === '' ? {} : { server }),
        ...(kind === '' ? {} : { agent: { kind } }),
        arguments: parseArguments(args),
        document: text,
      }),
    );
  });
  const errorOf = (field: string) => (error?.field === field ? error.message : undefined);
  const isOfAField = ['tool_name', 'server', 'arguments'].some((field) => errorOf(field) !== undefined);
  return (
    <section className={stack['stack']} aria-label="Test a call">
      <h2>Test a call</h2>
      <form className={stack['stack']} onSubmit={onSubmit}>
        <Field label="Tool" name="tool" required maxLength={200} error={errorOf('tool_name')} />
        <Field label="Server" name="server" hint="default: local" error={errorOf('server')} />
        <Field label="Kind of agent" name="kind" hint="Default: any agent" />
        <TextField
          label="Arguments"
          name="args"
          hint="A JSON object"
          defaultValue="{}"
          spellCheck={false}
          error={errorOf('arguments')}
        />
        {error !== undefined && !isOfAField && <ErrorState error={error} />}
        <div className={stack['actions']}>
          <Button type="submit" aria-busy={isBusy}>
            Run test
          </Button>
        </div>
      </form>
      {trial !== undefined && <Outcome trial={trial} />}
    </section>
  );
}

function Outcome({ trial }: { readonly trial: PolicyTrial }) {
  const [tone, word] = DECISIONS[trial.decision];
  return (
    <div className={stack['stack']}>
      <p role="status">
        <StatusBadge tone={tone}>{word}</StatusBadge> {trial.rule_description}
      </p>
      {trial.trace.length > 0 && <DataTable name="Rules" columns={COLUMNS} rows={trial.trace} keyOf={({ id }) => id} />}
    </div>
  );
}

/** Parses the arguments of the call. @throws ApiError for invalid JSON, like the service */
function parseArguments(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const detail = { field: 'arguments' };
    throw new ApiError({ status: 422, code: 'invalid_request', message: 'This is not valid JSON.', detail }, { cause });
  }
}
