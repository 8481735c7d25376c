import type { Budget } from '../../api/answers.ts';
import { saveItem } from '../../api/save-item.ts';
import { BUDGETS_PATH, budgetsKey } from '../../queries/costs.ts';
import { CheckField } from '../../ui/check-field.tsx';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { PERIODS, SCOPES } from './budget-words.ts';

interface Props {
  /** The budget to change; undefined for a new one. The subject of a budget never changes. */
  readonly budget: Budget | undefined;
  readonly onClose: () => void;
}

export function BudgetDialog({ budget, onClose }: Props) {
  function save(values: Readonly<Record<string, string>>): Promise<Budget> {
    const limits = readLimits(values);
    return saveItem<Budget>(
      BUDGETS_PATH,
      budget,
      budget === undefined ? { ...readSubject(values), ...limits } : limits,
    );
  }
  const action = budget === undefined ? 'Add budget' : 'Save budget';
  return (
    <FormDialog
      title={budget === undefined ? 'Add budget' : 'Edit budget'}
      action={action}
      onClose={onClose}
      onSend={save}
      touches={budgetsKey}
    >
      {(errorOf) => (
        <>
          {budget === undefined && (
            <>
              <SelectField label="Of" name="scope" options={SCOPES} error={errorOf('scope')} />
              <Field
                label="Id"
                name="scope_id"
                hint="Id of the API key, flow or agent; empty for the account."
                error={errorOf('scope_id')}
              />
              <Field label="Model" name="model_alias" hint="Empty: all models." error={errorOf('model_alias')} />
              <SelectField
                label="Period"
                name="period"
                options={PERIODS}
                defaultValue="monthly"
                error={errorOf('period')}
              />
              <Field
                label="Time zone"
                name="time_zone"
                hint="Time zone in which days, weeks, months and years begin, such as Europe/Berlin. Empty: UTC."
                error={errorOf('time_zone')}
              />
            </>
          )}
          <Field
            label="Limit in US dollars"
            name="limit_amount"
            inputMode="decimal"
            required
            defaultValue={budget?.limit_amount}
            error={errorOf('limit_amount')}
          />
          <Field
            label="Alert at percentage"
            name="thresholds"
            defaultValue={budget?.thresholds_percent.join(', ') ?? '80'}
            hint="Percentages of the limit, separated by commas."
            error={errorOf('thresholds_percent')}
          />
          <CheckField name="hard" label="Refuse calls that would exceed the limit" checked={budget?.hard ?? true} />
          <CheckField
            name="refuses_unsized"
            label="Refuse calls whose cost cannot be estimated from the request body (files, URLs, earlier responses, provider tools)"
            checked={budget?.unsized_calls === 'refuse'}
          />
          <CheckField name="enabled" label="Enabled" checked={budget?.enabled ?? true} />
        </>
      )}
    </FormDialog>
  );
}

function readSubject(values: Readonly<Record<string, string>>) {
  const { scope, scope_id: id = '', model_alias: model = '', period, time_zone: zone = '' } = values;
  return {
    scope,
    period,
    ...(zone.trim() !== '' && { time_zone: zone.trim() }),
    ...(id.trim() !== '' && { scope_id: id.trim() }),
    ...(model.trim() !== '' && { model_alias: model.trim() }),
  };
}

function readLimits(values: Readonly<Record<string, string>>) {
  return {
    limit_amount: Number(values['limit_amount']),
    thresholds_percent: (values['thresholds'] ?? '')
      .split(',')
      .flatMap((part) => (part.trim() === '' ? [] : [Number(part)])),
    hard: values['hard'] === 'on',
    unsized_calls: values['refuses_unsized'] === 'on' ? 'refuse' : 'hold',
    enabled: values['enabled'] === 'on',
  };
}
