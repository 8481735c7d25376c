import type { ApiKey } from '../../api/answers.ts';

type Limits = NonNullable<ApiKey['limits']>;
type LimitName = Exclude<keyof Limits, 'models'>;

export const LIMITS: readonly (readonly [LimitName, string])[] = [
  ['calls_per_minute', 'Calls per minute'],
  ['calls_per_day', 'Calls per day'],
  ['tokens_per_minute', 'Tokens per minute'],
  ['tokens_per_day', 'Tokens per day'],
];

/** Returns the limits in the format of the request; null if no field was filled in. */
export function readKeyLimits(values: Readonly<Record<string, string>>): object | null {
  const models = (values['models'] ?? '')
    .split(',')
    .map((alias) => alias.trim())
    .filter((alias) => alias !== '');
  const counts = LIMITS.flatMap(([name]) => {
    const text = (values[name] ?? '').trim();
    return text === '' ? [] : [[name, Number(text)] as const];
  });
  if (models.length === 0 && counts.length === 0) return null;
  return { ...(models.length > 0 && { models: [...new Set(models)] }), ...Object.fromEntries(counts) };
}

/** Describes the models that a key may call, and its limits with their current usage. */
export function describeKeyLimits({ limits, limits_used: used }: Pick<ApiKey, 'limits' | 'limits_used'>): string {
  if (limits === null) return 'none';
  const counts = LIMITS.flatMap(([name, label]) => {
    const most = limits[name];
    return most === null ? [] : [`${label.toLowerCase()}: ${used?.[name] ?? 0} of ${most}`];
  });
  const models = limits.models === null ? [] : [`models: ${limits.models.join(', ') || 'none'}`];
  return [...models, ...counts].join('; ');
}
