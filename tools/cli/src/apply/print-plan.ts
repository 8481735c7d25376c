import { cleanText, formatJson, type Output } from '../output.ts';
import type { FieldChange } from './compare-fields.ts';
import type { Plan, Step } from './plan.ts';

const SIGNS = { create: '+', update: '~', replace: '±', delete: '-', none: '=' } as const;
const LONGEST = 120;

/** Prints the changes that an apply would make, one object after the other with its fields. */
export function printPlan({
  output,
  plan,
  json,
}: {
  readonly output: Output;
  readonly plan: Plan;
  readonly json: boolean;
}): void {
  const changed = plan.steps.filter(({ action }) => action !== 'none');
  if (json) {
    const kept = Object.fromEntries(listKept(plan).map(({ key, fields }) => [key, fields]));
    output.line(formatJson({ changes: changed.map(describeStep), left_over: plan.leftOver, kept }, 2));
    return;
  }
  const { styles } = output;
  for (const step of changed) {
    const head = cleanText(`${SIGNS[step.action]} ${step.key}`);
    output.line((step.action === 'delete' ? styles.bad : styles.bold)(head));
    for (const change of step.changes) output.line(cleanText(`    ${describeChange(step, change)}`));
  }
  const count = (action: Step['action']): number => plan.steps.filter((step) => step.action === action).length;
  output.line(
    `${count('create')} to create, ${count('update')} to change, ${count('replace')} to replace, ${count('delete')} to delete, ${count('none')} unchanged`,
  );
  for (const { key, fields } of listKept(plan))
    output.note(
      cleanText(
        `${key}: these fields are no longer in the document and keep their values, because they have no default: ${fields.join(', ')}`,
      ),
    );
  if (plan.leftOver.length > 0)
    output.note(cleanText(`no longer in any document; --prune would delete: ${plan.leftOver.join(', ')}`));
}

function listKept({ steps }: Plan): { readonly key: string; readonly fields: readonly string[] }[] {
  return steps.flatMap(({ key, kept: fields = [] }) => (fields.length === 0 ? [] : [{ key, fields }]));
}

function describeStep({ action, key, changes }: Step) {
  return {
    ...{ action, key },
    fields: changes.map(({ field, before, after, isSecret, isDrift, isUnset }) => ({
      field,
      ...(isSecret ? { secret: true } : { before: before ?? null, after }),
      drift: isDrift,
      unset: isUnset,
    })),
  };
}

function describeChange({ action }: Step, change: FieldChange): string {
  const { field, before, after, isSecret, isDrift, isUnset } = change;
  const drift = isUnset
    ? '   (no longer in the document: back to the default)'
    : isDrift
      ? '   (changed in the service since the last apply)'
      : '';
  if (isSecret) return `${field}: (secret)${after === null ? ' -> null' : ''}${drift}`;
  const now = shorten(after);
  return action === 'create' ? `${field}: ${now}` : `${field}: ${shorten(before)} -> ${now}${drift}`;
}

function shorten(value: unknown): string {
  const text = formatJson(value ?? null);
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`;
}
