import { maskUrl, type Setting } from './settings.ts';

interface Common<T> {
  readonly description: string;
  readonly default?: T;
  readonly unit?: string;
  readonly secret?: boolean;
}

type Optional<T, O> = O extends { default: T } ? T : T | undefined;

function build<T>(
  variable: string,
  options: Common<T>,
  required: boolean,
  parse: (text: string) => T,
  allowed?: string,
) {
  const setting: Setting<T> = {
    variable,
    description: options.description,
    secret: options.secret ?? false,
    required,
    defaultText: options.default === undefined ? undefined : String(options.default),
    parse,
    defaultValue: options.default,
    ...(options.unit === undefined ? {} : { unit: options.unit }),
    ...(allowed === undefined ? {} : { allowed }),
  };
  return setting;
}

function parseBoolean(text: string): boolean {
  const folded = text.toLowerCase();
  if (['true', '1', 'yes', 'on'].includes(folded)) return true;
  if (['false', '0', 'no', 'off'].includes(folded)) return false;
  throw new Error('must be true or false');
}

interface NumberOptions extends Common<number> {
  readonly min?: number;
  readonly max?: number;
}

function parseNumber(options: NumberOptions, integer: boolean) {
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = options;
  return (text: string): number => {
    const value = Number(text);
    const fits = Number.isFinite(value) && value >= min && value <= max && (!integer || Number.isInteger(value));
    if (!fits) throw new Error(`must be ${integer ? 'a whole number' : 'a number'} ${describeRange(min, max)}`.trim());
    return value;
  };
}

function describeRange(min: number, max: number): string {
  if (Number.isFinite(min) && Number.isFinite(max)) return `from ${min} to ${max}`;
  if (Number.isFinite(min)) return `of at least ${min}`;
  return Number.isFinite(max) ? `of at most ${max}` : '';
}

/** Builders for the kinds of setting the apps use. A setting without `default` is `undefined` when the variable is not set. */
export const setting = {
  boolean<const O extends Common<boolean>>(variable: string, options: O): Setting<Optional<boolean, O>> {
    return build(variable, options, false, parseBoolean, 'true, false') as Setting<Optional<boolean, O>>;
  },
  integer<const O extends NumberOptions>(variable: string, options: O): Setting<Optional<number, O>> {
    const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = options;
    return build(variable, options, false, parseNumber(options, true), describeRange(min, max)) as Setting<
      Optional<number, O>
    >;
  },
  number<const O extends NumberOptions>(variable: string, options: O): Setting<Optional<number, O>> {
    return build(variable, options, false, parseNumber(options, false)) as Setting<Optional<number, O>>;
  },
  text<const O extends Common<string>>(variable: string, options: O): Setting<Optional<string, O>> {
    return build<string>(variable, options, false, (text) => text) as Setting<Optional<string, O>>;
  },
  /** Comma-separated list; spaces around the entries do not count. */
  list(
    variable: string,
    options: { readonly description: string; readonly unit?: string },
  ): Setting<readonly string[]> {
    const parse = (text: string): readonly string[] =>
      text
        .split(',')
        .map((entry) => entry.trim())
        .filter((entry) => entry !== '');
    return { ...build<readonly string[]>(variable, { ...options, default: [] }, false, parse), defaultText: '' };
  },
  choice<const T extends string>(
    variable: string,
    allowed: readonly T[],
    options: { readonly description: string; readonly default: T },
  ): Setting<T> {
    const parse = (text: string): T => {
      const match = allowed.find((entry) => entry === text);
      if (match === undefined) throw new Error(`must be one of: ${allowed.join(', ')}`);
      return match;
    };
    return build(variable, options, false, parse, allowed.join(', '));
  },
  /** Required secret text of at least `minLength` characters. */
  secret(variable: string, options: { readonly description: string; readonly minLength: number }): Setting<string> {
    const parse = (text: string): string => {
      if (text.length < options.minLength) throw new Error(`must have at least ${options.minLength} characters`);
      return text;
    };
    return build(variable, { ...options, secret: true }, true, parse);
  },
  /** Required URL that may carry credentials: always masked when printed. */
  serverUrl(
    variable: string,
    options: { readonly description: string; readonly protocols: readonly string[] },
  ): Setting<string> {
    const parse = (text: string): string => {
      const fits = URL.canParse(text) && options.protocols.includes(new URL(text).protocol.slice(0, -1));
      if (!fits) throw new Error(`must be a URL starting with ${options.protocols.map((p) => `${p}://`).join(' or ')}`);
      return text;
    };
    return { ...build(variable, { ...options, secret: true }, true, parse), mask: maskUrl };
  },
} as const;
