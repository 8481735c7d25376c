import { isWeakSecret } from './secret-strength.ts';
import { maskUrl, type Setting } from './settings.ts';

interface Common<T> {
  readonly description: string;
  readonly default?: T;
  readonly unit?: string;
}

type Optional<T, O> = O extends { default: T } ? T : T | undefined;

function build<T>(
  variable: string,
  options: Common<T> & { readonly secret?: boolean },
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

function parseSecret(text: string, minLength: number): string {
  if (text.length < minLength) throw new Error(`must have at least ${minLength} characters`);
  if (isWeakSecret(text)) throw new Error('is too easy to guess: generate one with "openssl rand -hex 32"');
  return text;
}

function parseDerivedKey(text: string): string {
  if (!/^[0-9a-f]{64}$/.test(text))
    throw new Error('must be a derived key of 64 hexadecimal digits (npm run derive-keys)');
  return text;
}

function buildSecretList(
  variable: string,
  options: { readonly description: string },
  parseEntry: (entry: string) => string,
) {
  const parse = (text: string): readonly string[] =>
    text
      .split(/[\s,]+/)
      .filter((entry) => entry !== '')
      .map(parseEntry);
  const list: Setting<readonly string[]> = {
    ...build<readonly string[]>(variable, { ...options, default: [], secret: true }, false, parse),
    defaultText: undefined,
    mayBeEmpty: true,
    mask: (values) => `${values.length} configured`,
  };
  return list;
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

function splitList(text: string): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

function describeRange(min: number, max: number): string {
  if (Number.isFinite(min) && Number.isFinite(max)) return `from ${min} to ${max}`;
  if (Number.isFinite(min)) return `of at least ${min}`;
  return Number.isFinite(max) ? `of at most ${max}` : '';
}

/**
 * Builders for the kinds of settings that the apps use. An optional setting without a default is `undefined` if the
 * variable is not set.
 */
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
  /** Declares the age in days at which rows are removed: at least `shortest`; 0, the default, retains the rows. */
  retentionDays(
    variable: string,
    { shortest, description }: { readonly shortest: number; readonly description: string },
  ): Setting<number> {
    const most = 36_500;
    const parseDays = parseNumber({ description, min: 0, max: most }, true);
    const parse = (text: string): number => {
      const days = parseDays(text);
      if (days > 0 && days < shortest) throw new Error(`must be 0, or ${shortest} or more`);
      return days;
    };
    return build(variable, { default: 0, unit: 'days', description }, false, parse, `0, ${shortest} to ${most} days`);
  },
  number<const O extends NumberOptions>(variable: string, options: O): Setting<Optional<number, O>> {
    return build(variable, options, false, parseNumber(options, false)) as Setting<Optional<number, O>>;
  },
  text<const O extends Common<string>>(variable: string, options: O): Setting<Optional<string, O>> {
    return build<string>(variable, options, false, (text) => text) as Setting<Optional<string, O>>;
  },
  /** Declares a string that is never printed in logs or lists of settings. */
  maskedText<const O extends Common<string> & { readonly mayBeEmpty?: boolean }>(
    variable: string,
    options: O,
  ): Setting<Optional<string, O>> {
    const { mayBeEmpty = false } = options;
    const built = build<string>(variable, { ...options, secret: true }, false, (text) => text);
    return { ...built, mayBeEmpty } as Setting<Optional<string, O>>;
  },
  /**
   * Declares a removed setting: if an operator still sets it, the error says what to use instead and does not contain
   * the value. The value `{}`, an empty JSON object, is accepted.
   */
  removed(variable: string, { instead }: { readonly instead: string }): Setting<undefined> {
    const parse = (text: string): undefined => {
      if (text !== '{}') throw new Error(`was removed. ${instead}`);
      return undefined;
    };
    const description = `Removed: a process does not start if it is set. ${instead}`;
    return { ...build<undefined>(variable, { description, secret: true }, false, parse), mayBeEmpty: true };
  },
  /** Declares a port to listen on; 0 selects a free port. */
  port<const O extends Common<number>>(variable: string, options: O): Setting<Optional<number, O>> {
    return setting.integer(variable, { ...options, min: 0, max: 65_535 }) as Setting<Optional<number, O>>;
  },
  /** Declares a comma-separated list; spaces around the entries are ignored. `check` throws for an invalid entry. */
  list(
    variable: string,
    options: { readonly description: string; readonly unit?: string; readonly check?: (entry: string) => void },
  ): Setting<readonly string[]> {
    const parse = (text: string): readonly string[] => {
      const entries = splitList(text);
      for (const entry of entries) options.check?.(entry);
      return entries;
    };
    return { ...build<readonly string[]>(variable, { ...options, default: [] }, false, parse), defaultText: '' };
  },
  /** Declares a comma-separated list of whole numbers. */
  integers(
    variable: string,
    options: { readonly description: string; readonly min: number; readonly max: number },
  ): Setting<readonly number[]> {
    const parseEntry = parseNumber(options, true);
    const parse = (text: string): readonly number[] => splitList(text).map(parseEntry);
    const allowed = `numbers ${describeRange(options.min, options.max)}`;
    return {
      ...build<readonly number[]>(variable, { description: options.description, default: [] }, false, parse, allowed),
      defaultText: '',
    };
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
  /**
   * Declares an http or https URL that people open in a browser. It must not contain credentials; trailing slashes are
   * removed, so that paths can be appended.
   */
  webUrl(variable: string, options: { readonly description: string; readonly default: string }): Setting<string> {
    const parse = (text: string): string => {
      const url = URL.canParse(text) ? new URL(text) : undefined;
      if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
        throw new Error('must be a URL starting with https:// or http://, without credentials');
      return text.replace(/\/+$/, '');
    };
    return build(variable, options, false, parse);
  },
  /** Declares a required secret string of at least `minLength` characters that is not a placeholder. */
  secret(variable: string, options: { readonly description: string; readonly minLength: number }): Setting<string> {
    return build(variable, { ...options, secret: true }, true, (text) => parseSecret(text, options.minLength));
  },
  /** Declares secrets of the same kind, separated by commas or white space; empty if not set. */
  secretList(
    variable: string,
    options: { readonly description: string; readonly minLength: number },
  ): Setting<readonly string[]> {
    return buildSecretList(variable, options, (entry) => parseSecret(entry, options.minLength));
  },
  /** Declares a required key for one purpose, which `npm run derive-keys` derives from SECRET_KEY. */
  derivedKey(variable: string, options: { readonly description: string }): Setting<string> {
    return build(variable, { ...options, secret: true }, true, parseDerivedKey);
  },
  /** Declares a derived key for one purpose that only some deployments need. */
  optionalDerivedKey(variable: string, options: { readonly description: string }): Setting<string | undefined> {
    return { ...build<string>(variable, { ...options, secret: true }, false, parseDerivedKey), mayBeEmpty: true };
  },
  /** Declares further derived keys, separated by commas or white space; empty if not set. */
  derivedKeyList(variable: string, options: { readonly description: string }): Setting<readonly string[]> {
    return buildSecretList(variable, options, parseDerivedKey);
  },
  /** Declares a required URL that may carry credentials: always masked when printed. */
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
