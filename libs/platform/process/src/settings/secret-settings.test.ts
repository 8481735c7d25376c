import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { baseSettings } from './base-settings.ts';
import { setting } from './setting-kinds.ts';
import { loadSettings, maskSettings, type SettingsError } from './settings.ts';

const shape = {
  key: setting.secret('SECRET_KEY', { minLength: 16, description: 'd' }),
  former: setting.secretList('SECRET_KEY_PREVIOUS', { minLength: 16, description: 'd' }),
  mail: setting.maskedText('MAIL', { mayBeEmpty: true, description: 'd' }),
  models: setting.maskedText('MODELS', { default: '{}', description: 'd' }),
  size: setting.integer('SIZE', { default: 5, description: 'd' }),
};
const KEY = 'correct-horse-battery-staple';

describe('a secret that is read from a file', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(resolve(tmpdir(), 'steward-settings-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const write = (content: string, mode = 0o600): string => {
    const path = resolve(folder, `file-${content.length}-${mode}`);
    writeFileSync(path, content);
    chmodSync(path, mode);
    return path;
  };
  const load = (environment: Record<string, string>) => {
    const warnings: string[] = [];
    return { settings: loadSettings(shape, environment, (line) => warnings.push(line)), warnings };
  };
  const listProblems = (environment: Record<string, string>): readonly string[] => {
    try {
      load(environment);
    } catch (error) {
      return (error as SettingsError).problems;
    }
    return [];
  };

  it('is read without the newline at the end', () => {
    const { settings, warnings } = load({ SECRET_KEY_FILE: write(`${KEY}\n`), MODELS_FILE: write('{"a":1}\r\n') });
    expect(settings).toMatchObject({ key: KEY, models: '{"a":1}' });
    expect(warnings).toEqual([]);
  });

  it('can be the address of a server', () => {
    const file = { DATABASE_URL_FILE: write('postgres://u:hunter2@db/steward'), NATS_URL_FILE: write('nats://broker') };
    expect(loadSettings(baseSettings, file)).toMatchObject({
      databaseUrl: 'postgres://u:hunter2@db/steward',
      natsUrl: 'nats://broker',
    });
  });

  it('can be a list, separated by commas or lines', () => {
    const list = `${KEY}-1\n${KEY}-2,${KEY}-3\n`;
    const { settings } = load({ SECRET_KEY: KEY, SECRET_KEY_PREVIOUS_FILE: write(list) });
    expect(settings.former).toEqual([`${KEY}-1`, `${KEY}-2`, `${KEY}-3`]);
    expect(maskSettings(shape, settings)).toMatchObject({ SECRET_KEY_PREVIOUS: '3 configured' });
  });

  it('can be an empty list, so that the file may exist before the first key', () => {
    expect(load({ SECRET_KEY: KEY, SECRET_KEY_PREVIOUS_FILE: write('\n') }).settings.former).toEqual([]);
  });

  it('is unset if its file is empty and the setting is optional', () => {
    expect(load({ SECRET_KEY: KEY, MAIL_FILE: write('\n\n\n') }).settings.mail).toBeUndefined();
    expect(listProblems({ SECRET_KEY: KEY, MODELS_FILE: write('\n\n\n') })).toEqual([
      expect.stringMatching(/^MODELS_FILE is empty: /),
    ]);
  });

  it('is refused if it is given twice, naming both variables', () => {
    expect(listProblems({ SECRET_KEY: KEY, SECRET_KEY_FILE: write(KEY) })).toEqual([
      'SECRET_KEY and SECRET_KEY_FILE are both set: keep only one of them',
    ]);
  });

  it.each([
    ['that is not there', () => '/nowhere/key', /^SECRET_KEY_FILE does not exist: \/nowhere\/key$/],
    ['that is empty', () => write('\n\n'), /^SECRET_KEY_FILE is empty: /],
    ['that is a folder', () => folder, /^SECRET_KEY_FILE names a folder, not a file: /],
    ['that is far too large', () => write('x'.repeat(70_000)), /^SECRET_KEY_FILE is larger than 65536 bytes: /],
    ['whose path leads through a file', () => `${write('x')}/key`, /^SECRET_KEY_FILE cannot be read \(ENOTDIR\): /],
    ['with a short key', () => write('hunter2'), /^SECRET_KEY must have at least 16 characters$/],
  ])('causes one clear line without the secret if it is in a file %s', (_what, makePath, expected) => {
    const problems = listProblems({ SECRET_KEY_FILE: makePath() });
    expect(problems).toEqual([expect.stringMatching(expected)]);
    expect(problems.join()).not.toContain('hunter2');
  });

  it('is accepted with a warning that names the variable if every user can read the file', () => {
    const { settings, warnings } = load({ SECRET_KEY_FILE: write(KEY, 0o644) });
    expect(settings.key).toBe(KEY);
    expect(warnings).toEqual([expect.stringMatching(/^SECRET_KEY_FILE can be read by every user .*chmod 600/)]);
  });

  it('is not read for a setting that is not secret', () => {
    mkdirSync(resolve(folder, 'size'));
    expect(load({ SECRET_KEY: KEY, SIZE_FILE: resolve(folder, 'size') }).settings.size).toBe(5);
  });
});

describe('a placeholder as a key', () => {
  it.each([
    'x'.repeat(64),
    'ab'.repeat(32),
    'changeme'.repeat(8),
    'changeme-changeme-changeme-changeme',
    '12345678901234567890123456789012',
    `${'0'.repeat(63)}1`,
  ])('%s is refused with a line that explains how to generate one', (key) => {
    expect(() => loadSettings(shape, { SECRET_KEY: key })).toThrow(/^SECRET_KEY is too easy to guess: .*openssl rand/);
  });

  it.each([
    '9f86d081884c7d659a2feaa0c55ad015',
    'correct-horse-battery-staple',
    'a-secret-key-for-tests-only-0123456789',
  ])('%s is accepted', (key) => {
    expect(loadSettings(shape, { SECRET_KEY: key }).key).toBe(key);
  });

  it('is also refused among the previous keys', () => {
    expect(() => loadSettings(shape, { SECRET_KEY: KEY, SECRET_KEY_PREVIOUS: `${KEY},${'x'.repeat(32)}` })).toThrow(
      /^SECRET_KEY_PREVIOUS is too easy/,
    );
  });
});

describe('a key that is derived for one app', () => {
  const derived = { key: setting.derivedKey('ENDPOINT_SECRET_KEY', { description: 'd' }) };

  it('is 64 hexadecimal digits, so that SECRET_KEY itself is not accepted', () => {
    const hex = '9f86d081884c7d659a2feaa0c55ad0159f86d081884c7d659a2feaa0c55ad015';
    expect(loadSettings(derived, { ENDPOINT_SECRET_KEY: hex }).key).toBe(hex);
    expect(() => loadSettings(derived, { ENDPOINT_SECRET_KEY: KEY })).toThrow(/derived key.*npm run derive-keys/);
  });
});
