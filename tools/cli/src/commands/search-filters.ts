import { refuse } from '../exit-codes.ts';

/** Flags that determine how and where to search. */
export interface FilterOptions {
  readonly mode?: string;
  readonly since?: string;
  readonly until?: string;
  readonly sourceKind?: string;
  readonly model?: string;
  readonly provider?: string;
  readonly principal?: string;
  readonly apiKeyId?: string;
  readonly flow?: string;
  readonly session?: string;
  readonly role?: string;
  readonly tool?: string;
  readonly status?: string;
  readonly sourceType?: string;
  readonly label?: string;
}

/** Returns the filters that the flags define; undefined if there are none. */
export function readFilters(options: FilterOptions): Record<string, unknown> | undefined {
  const filters = omitUndefined({
    start_date: readMoment(options.since, '--since', new Date()),
    end_date: readMoment(options.until, '--until', new Date()),
    source_kind: options.sourceKind,
    model_alias: options.model,
    provider_name: options.provider,
    runtime_principal_id: options.principal,
    api_key_id: options.apiKeyId,
    flow_id: options.flow,
    session_id: options.session,
    role: options.role,
    tool_name: options.tool,
    status: options.status,
    session_source_type: options.sourceType,
    label: options.label,
  });
  return Object.keys(filters).length > 0 ? filters : undefined;
}

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** Parses `2026-05-01` (UTC midnight), a full timestamp with offset, or an age such as `90m`, `24h`, `7d`, `2w`. */
export function readMoment(text: string | undefined, flag: string, now: Date): string | undefined {
  if (text === undefined) return undefined;
  const [, count, unit] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  if (unit !== undefined) return new Date(now.getTime() - Number(count) * (UNIT_MS[unit] ?? 0)).toISOString();
  const isDate = /^\d{4}-\d\d-\d\d$/.test(text);
  const hasOffset = /T.*(?:Z|[+-]\d\d:\d\d)$/.test(text);
  const moment = new Date(text);
  if ((!isDate && !hasOffset) || Number.isNaN(moment.getTime()))
    throw refuse(`${flag} takes a date (2026-05-01), a time with offset (2026-05-01T12:00:00Z) or an age (24h, 7d)`);
  return moment.toISOString();
}

export function omitUndefined(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
