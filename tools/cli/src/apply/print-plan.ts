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
    output.line(formatJson({ changes: changed.map(describeStep), left_over: plan.leftOver }, 2));
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
  if (plan.leftOver.length > 0)
    output.note(cleanText(`no longer in any document; --prune would delete: ${plan.leftOver.join(', ')}`));
}

function describeStep({ action, key, changes }: Step) {
  return {
    ...{ action, key },
    fields: changes.map(({ field, before, after, isSecret, isDrift }) => ({
      field,
      ...(isSecret ? { secret: true } : { before: before ?? null, after }),
      drift: isDrift,
    })),
  };
}

function describeChange({ action }: Step, { field, before, after, isSecret, isDrift }: FieldChange): string {
  const drift = isDrift ? '   (changed in the service since the last apply)' : '';
  if (isSecret) return `${field}: (secret)${drift}`;
  const now = shorten(after);
  return action === 'create' ? `${field}: ${now}` : `${field}: ${shorten(before)} -> ${now}${drift}`;
}

function shorten(value: unknown): string {
  const text = formatJson(value ?? null);
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`;
}
