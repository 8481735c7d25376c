import { fileVariable, type Setting } from '@steward/process';

/**
 * Declared settings, with which the statements of a page are compared. Each check returns one line for each incorrect
 * statement.
 */
export type Declared = ReadonlyMap<string, Setting<unknown>>;

const NAME = /`((?:\.\.\.)?_?[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+_?(?:\.\.\.|\*|…)?)(?:=[^`]*)?`/g;
/** Units in which pages write values: `10 minutes` for 600,000 ms, `4 MiB`. */
const UNITS = [1, 60, 1000, 1024, 3600, 60_000, 86_400, 1024 ** 2, 3_600_000, 86_400_000, 1024 ** 3];
const WORDS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');

/**
 * Lists names that look like settings but are neither declared by a process nor contained in `others` (variables of
 * other programs).
 */
export function listUnknownSettings(page: string, declared: Declared, others: ReadonlySet<string>): string[] {
  return [...page.matchAll(NAME)]
    .map(([, name = '']) => name)
    .filter((name) => !others.has(name) && expandName(name, declared).length === 0)
    .map((name) => `${name} is no setting`);
}

/**
 * Returns the settings to which a name refers: the setting itself, its file variable, `FLOW_MAX_...`,
 * `..._MAX_WAITING`.
 */
function expandName(name: string, declared: Declared): Setting<unknown>[] {
  const plain = declared.get(name) ?? declared.get(name.replace(/_FILE$/, ''));
  if (plain !== undefined) return [plain];
  const part = name.replaceAll(/^\.\.\.|(?:\.\.\.|\*|…)$/g, '');
  const isEnd = /^(?:\.\.\.|_)/.test(name);
  if (part === name && !isEnd && !name.endsWith('_')) return [];
  return [...declared.values()].filter(({ variable, secret }) =>
    isEnd
      ? [variable, ...(secret ? [fileVariable(variable)] : [])].some((full) => full.endsWith(part))
      : variable.startsWith(part),
  );
}

/**
 * Lists defaults that a page states after a name, such as `NAME` (10), or in the next cell, and that differ from those
 * in the code.
 */
export function listWrongDefaults(page: string, declared: Declared): string[] {
  const stated = [/`([A-Z][A-Z0-9_]+)` \(([\d.,]*\d)\b/g, /^\| `([A-Z][A-Z0-9_]+)` +\| ([\d.,]*\d) +\|/gm];
  return stated
    .flatMap((form) => [...page.matchAll(form)])
    .flatMap(([, name = '', value = '']) => {
      const setting = declared.get(name);
      if (setting === undefined || setting.defaultText === value.replaceAll(',', '')) return [];
      return [`${name} is ${setting.defaultText ?? 'not set'} by default, not ${value}`];
    });
}

/**
 * Lists rows of limits that name a setting in the third cell, and in the second cell a number that is not its default.
 */
export function listWrongLimits(page: string, declared: Declared): string[] {
  return [...page.matchAll(/^\| ([A-Z]+-\d+) +\|([^|]*)\|([^|]*)\|/gm)].flatMap(([, rule = '', limit = '', by = '']) =>
    [...(/\d/.test(limit) ? by : '').matchAll(NAME)]
      .flatMap(([, name = '']) => expandName(name, declared))
      .filter(({ defaultText }) => defaultText !== undefined && !saysNumber(limit, Number(defaultText)))
      .map(({ variable, defaultText }) => `${rule} does not say ${defaultText}, the default of ${variable}`),
  );
}

/** Returns true if a text contains a number, in one of the units used in pages. */
export function saysNumber(text: string, value: number): boolean {
  return UNITS.filter((unit) => value % unit === 0 && value >= unit)
    .map((unit) => value / unit)
    .flatMap((number) => [String(number), number.toLocaleString('en-US'), WORDS[number] ?? []].flat())
    .some((form) => new RegExp(String.raw`(?<![\d,\w])${form}(?!\d|,\d)`, 'i').test(text));
}

/**
 * Lists refusals, such as 403 `budget_exceeded`, in which the status is not that of the code. Names of details and
 * health states are not codes.
 */
export function listWrongStatuses(
  page: string,
  codes: Readonly<Record<string, { readonly status: number }>>,
): string[] {
  return [...page.matchAll(/\b([45]\d\d) `([a-z_]+)`/g)].flatMap(([, status = '', code = '']) => {
    const known = codes[code];
    if (known === undefined) return code === 'unhealthy' ? [] : [`${code} is no error code`];
    return known.status === Number(status) ? [] : [`${code} is ${known.status}, not ${status}`];
  });
}

/**
 * Lists requests, such as `POST /flows/{id}/stop`, for which there is no route. A page may omit the common prefix of
 * its paths, and capitalized parts are placeholders.
 */
export function listUnknownRoutes(page: string, routes: ReadonlySet<string>): string[] {
  const plain = (path: string): string =>
    path.replaceAll(/\{[^}]*\}|:\w+|\b[A-Z]{2,}(?:_[A-Z]+)*\b/g, '{}').replace(/\/$/, '');
  const known = [...routes].map((route) => route.split(' ') as [string, string]);
  return [...page.matchAll(/`(GET|POST|PUT|PATCH|DELETE) (\/[^\s`?]*)/g)]
    .filter(([, asked = '', path = '']) => {
      const wanted = plain(path);
      return !known.some(([method, route]) => method === asked && plain(route).endsWith(wanted));
    })
    .map(([, method = '', path = '']) => `no route is ${method} ${path}`);
}

export interface CitedNumber {
  readonly name: string;
  readonly value: number;
  /** Rules named in the comment above the constant. */
  readonly rules: readonly string[];
}

/** Reads the constants of a source whose comment names a rule: `LIM-53` above `const MAX_PENDING = 1_000`. */
export function readCitedNumbers(source: string): CitedNumber[] {
  const cited = /\/\*\*((?:(?!\*\/)[^])*)\*\/\s*(?:export )?const (\w+) = ([\d_]+(?: \* [\d_]+)*);/g;
  return [...source.matchAll(cited)].flatMap(([, comment = '', name = '', text = '']) => {
    const rules = comment.match(/\b[A-Z]{2,}-\d+\b/g) ?? [];
    const value = text
      .replaceAll('_', '')
      .split(' * ')
      .reduce((product, factor) => product * Number(factor), 1);
    return rules.length === 0 ? [] : [{ name, value, rules }];
  });
}

/** Maps each rule of a page to its text, including its sub-points and the table below it. */
export function readRuleTexts(page: string): ReadonlyMap<string, string> {
  const items = [...page.matchAll(/^- \*\*([A-Z]+-\d+)\*\*([^]*?)(?=^- \*\*|^#|$(?![^]))/gm)];
  const rows = [...page.matchAll(/^\| ([A-Z]+-\d+) +\|(.*)$/gm)];
  return new Map([...items, ...rows].map(([, id = '', text = '']) => [id, text.replaceAll(/\s+/g, ' ')]));
}

/** Reads the bounds of each field and parameter of the API, keyed by its name: `1..10`. */
export function readApiBounds(api: unknown, bounds = new Map<string, Set<string>>()): Map<string, Set<string>> {
  if (typeof api !== 'object' || api === null) return bounds;
  const { properties, name, schema } = api as { properties?: object; name?: unknown; schema?: unknown };
  const fields = [...Object.entries(properties ?? {}), ...(typeof name === 'string' ? [[name, schema] as const] : [])];
  for (const [field, type] of fields) {
    const { anyOf = [] } = (type ?? {}) as { anyOf?: unknown[] };
    for (const one of [type, ...anyOf] as { minimum?: number; maximum?: number }[])
      if (one?.minimum !== undefined && one.maximum !== undefined)
        bounds.set(field, (bounds.get(field) ?? new Set()).add(`${one.minimum}..${one.maximum}`));
  }
  for (const part of Object.values(api)) readApiBounds(part, bounds);
  return bounds;
}

/**
 * Lists bounds that a page states after a field, such as `quorum` (1 to 10), although no field with that name has them.
 */
export function listWrongBounds(page: string, bounds: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  return [...page.matchAll(/`([a-z_]+)`\s+\(([\d,]+) to ([\d,]+)/g)].flatMap(([, field = '', from = '', to = '']) => {
    const known = bounds.get(field);
    const stated = `${from}..${to}`.replaceAll(',', '');
    return known === undefined || known.has(stated) ? [] : [`${field} is ${[...known].join(' or ')}, not ${stated}`];
  });
}
