/** One environment variable of one app: its schema, default, unit and description in one place. */
export interface Setting<T> {
  readonly variable: string;
  readonly description: string;
  readonly unit?: string;
  readonly secret: boolean;
  readonly required: boolean;
  readonly defaultText: string | undefined;
  readonly allowed?: string;
  /** Throws an Error whose message says what is accepted; never repeats a secret's value. */
  readonly parse: (text: string) => T;
  readonly defaultValue: T | undefined;
  /** What may be shown of a secret value; without it only that there is one. */
  mask?(value: T): string;
}

type SettingsShape = Readonly<Record<string, Setting<unknown>>>;
export type SettingsOf<Shape extends SettingsShape> = Readonly<{
  [Key in keyof Shape]: Shape[Key] extends Setting<infer T> ? T : never;
}>;

/** Thrown when the environment does not fit; `problems` holds one line per variable. */
export class SettingsError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('; '));
    this.name = 'SettingsError';
    this.problems = problems;
  }
}

/** Reads every setting once and freezes the result. An empty variable counts as not set. */
export function loadSettings<Shape extends SettingsShape>(
  shape: Shape,
  environment: Readonly<Record<string, string | undefined>>,
): SettingsOf<Shape> {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [key, setting] of Object.entries(shape)) {
    const text = environment[setting.variable]?.trim();
    if (text === undefined || text === '') {
      if (setting.required) problems.push(`${setting.variable} is not set: ${setting.description}`);
      else values[key] = setting.defaultValue;
      continue;
    }
    try {
      values[key] = setting.parse(text);
    } catch (error) {
      problems.push(`${setting.variable} ${error instanceof Error ? error.message : 'is not valid'}`);
    }
  }
  if (problems.length > 0) throw new SettingsError(problems);
  for (const value of Object.values(values)) Object.freeze(value);
  return Object.freeze(values) as SettingsOf<Shape>;
}

/** The settings as they may be printed: secrets only as "configured" or "not set", credentials cut out of URLs. */
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

/** Host, port and path of a URL without user, password and query. */
export function maskUrl(url: string): string {
  const parsed = new URL(url);
  return `${parsed.protocol}//${parsed.host}${parsed.pathname}`;
}
