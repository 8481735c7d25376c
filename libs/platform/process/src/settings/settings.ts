import { readSecretFile } from './read-secret-file.ts';

/** One environment variable of one app: its schema, default, unit and description in one place. */
export interface Setting<T> {
  readonly variable: string;
  readonly description: string;
  readonly unit?: string;
  readonly secret: boolean;
  readonly required: boolean;
  /**
   * True if the setting counts as not set when the file that should contain its value is empty; a deployment can then
   * always set the path of this file.
   */
  readonly mayBeEmpty?: boolean;
  readonly defaultText: string | undefined;
  readonly allowed?: string;
  /**
   * Returns the value of the variable. Throws an Error whose message says which values are accepted, but never contains
   * a secret.
   */
  readonly parse: (text: string) => T;
  readonly defaultValue: T | undefined;
  /** Returns a secret value in printable form; without this function, only the fact that it is set is printed. */
  mask?(value: T): string;
}

type SettingsShape = Readonly<Record<string, Setting<unknown>>>;
export type SettingsOf<Shape extends SettingsShape> = Readonly<{
  [Key in keyof Shape]: Shape[Key] extends Setting<infer T> ? T : never;
}>;

/** Thrown when the environment is invalid; `problems` holds one line per variable. */
export class SettingsError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('; '));
    this.name = 'SettingsError';
    this.problems = problems;
  }
}

/**
 * Returns the name of the variable that contains the path of a secret's file. With such a file, the environment of the
 * process does not contain the secret.
 */
export function fileVariable(variable: string): string {
  return `${variable}_FILE`;
}

/**
 * Reads every setting once and freezes the result. An empty variable is treated as not set. The value of a secret
 * setting can come from a file instead, whose path is in `<VARIABLE>_FILE`; `warn` gets a line for a file that other
 * users may read.
 */
export function loadSettings<Shape extends SettingsShape>(
  shape: Shape,
  environment: Readonly<Record<string, string | undefined>>,
  warn: (line: string) => void = (line) => void process.stderr.write(`warning: ${line}\n`),
): SettingsOf<Shape> {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [key, setting] of Object.entries(shape)) {
    try {
      const text = readText(setting, environment, warn);
      if (text !== undefined) values[key] = parse(setting, text);
      else if (setting.required) problems.push(`${setting.variable} is not set: ${setting.description}`);
      else values[key] = setting.defaultValue;
    } catch (error) {
      problems.push((error as Error).message);
    }
  }
  if (problems.length > 0) throw new SettingsError(problems);
  for (const value of Object.values(values)) Object.freeze(value);
  return Object.freeze(values) as SettingsOf<Shape>;
}

function readText(
  { variable, secret, mayBeEmpty = false }: Setting<unknown>,
  environment: Readonly<Record<string, string | undefined>>,
  warn: (line: string) => void,
): string | undefined {
  const text = read(environment, variable);
  const file = secret ? read(environment, fileVariable(variable)) : undefined;
  if (file === undefined) return text;
  if (text !== undefined)
    throw new Error(`${variable} and ${fileVariable(variable)} are both set: keep only one of them`);
  try {
    const found = readSecretFile(file);
    if (found.warning !== undefined) warn(`${fileVariable(variable)} ${found.warning}`);
    if (found.text === '' && !mayBeEmpty) throw new Error(`is empty: ${file}`);
    return found.text === '' ? undefined : found.text;
  } catch (error) {
    throw new Error(`${fileVariable(variable)} ${(error as Error).message}`, { cause: error });
  }
}

function read(environment: Readonly<Record<string, string | undefined>>, variable: string): string | undefined {
  const text = environment[variable]?.trim();
  return text === '' ? undefined : text;
}

function parse(setting: Setting<unknown>, text: string): unknown {
  try {
    return setting.parse(text);
  } catch (error) {
    throw new Error(`${setting.variable} ${error instanceof Error ? error.message : 'is not valid'}`, { cause: error });
  }
}

/**
 * Returns the settings in printable form: a secret appears only as "configured" or "not set", a list of secrets as the
 * number of its entries, and a URL without its credentials.
 */
export function maskSettings<Shape extends SettingsShape>(
  shape: Shape,
  values: SettingsOf<Shape>,
): Record<string, unknown> {
  const masked: Record<string, unknown> = {};
  for (const [key, setting] of Object.entries(shape)) {
    const value: unknown = values[key as keyof Shape];
    if (!setting.secret) masked[setting.variable] = value ?? null;
    else if (value === undefined) masked[setting.variable] = 'not set';
    else masked[setting.variable] = setting.mask === undefined ? 'configured' : setting.mask(value);
  }
  return masked;
}

/** Returns a URL without user, password and query. */
export function maskUrl(url: string): string {
  const parsed = new URL(url);
  return `${parsed.protocol}//${parsed.host}${parsed.pathname}`;
}
