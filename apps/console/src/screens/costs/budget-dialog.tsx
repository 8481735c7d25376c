import type { Budget } from '../../api/answers.ts';
import { request } from '../../api/request.ts';
import { BUDGETS_PATH, budgetsKey } from '../../queries/costs.ts';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import fieldStyles from '../../ui/field.module.css';
import { PERIODS, SCOPES } from './budget-words.ts';

interface Props {
  /** The budget to change; without it a new one is created. The subject of a budget never changes. */
  readonly budget: Budget | undefined;
  readonly onClose: () => void;
}

export function BudgetDialog({ budget, onClose }: Props) {
  function save(values: Readonly<Record<string, string>>): Promise<Budget> {
    const limits = readLimits(values);
    return budget === undefined
      ? request<Budget>('POST', BUDGETS_PATH, { body: { ...readSubject(values), ...limits } })
      : request<Budget>('PATCH', `${BUDGETS_PATH}/${budget.id}`, { body: limits });
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
                hint="Where days, weeks, months and years begin, such as Europe/Berlin. Empty: UTC."
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
            label="Alert at percent"
            name="thresholds"
            defaultValue={budget?.thresholds_percent.join(', ') ?? '80'}
            hint="Percent of the limit, separated by commas."
            error={errorOf('thresholds_percent')}
          />
          <label className={fieldStyles['check']}>
            <input type="checkbox" name="hard" defaultChecked={budget?.hard ?? true} />
            Refuse calls that would exceed the limit
          </label>
          <label className={fieldStyles['check']}>
            <input type="checkbox" name="refuses_unsized" defaultChecked={budget?.unsized_calls === 'refuse'} />
            Refuse calls whose cost cannot be read from the body (files, URLs, tools of the provider)
          </label>
          <label className={fieldStyles['check']}>
            <input type="checkbox" name="enabled" defaultChecked={budget?.enabled ?? true} />
            Enabled
          </label>
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
