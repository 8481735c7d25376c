import { baseSettings, workerSettings } from './base-settings.ts';
import { setting } from './setting-kinds.ts';
import { loadSettings, maskSettings, maskUrl, type SettingsError } from './settings.ts';

const shape = {
  enabled: setting.boolean('ENABLED', { default: true, description: 'd' }),
  size: setting.integer('SIZE', { default: 5, min: 1, max: 10, description: 'd' }),
  ratio: setting.number('RATIO', { default: 0.5, min: 0, description: 'd' }),
  name: setting.text('NAME', { description: 'd' }),
  hosts: setting.list('HOSTS', { description: 'd' }),
  doors: setting.integers('DOORS', { min: 1, max: 9, description: 'd' }),
  networks: setting.list('NETWORKS', {
    description: 'd',
    check: (entry) => {
      if (entry === 'garbage') throw new Error(`"${entry}" is not a network`);
    },
  }),
  level: setting.choice('LEVEL', ['low', 'high'], { default: 'low', description: 'd' }),
  key: setting.secret('SECRET_KEY', { minLength: 16, description: 'd' }),
  site: setting.webUrl('SITE_URL', { default: 'http://127.0.0.1:8000', description: 'd' }),
  server: setting.serverUrl('SERVER_URL', { protocols: ['nats', 'tls'], description: 'd' }),
};
const needed = { SECRET_KEY: 'abcdefghijklmnop', SERVER_URL: 'nats://user:hunter2@broker:4222' };

function listProblems(environment: Record<string, string>): readonly string[] {
  try {
    loadSettings(shape, { ...needed, ...environment });
  } catch (error) {
    return (error as SettingsError).problems;
  }
  return [];
}

describe('reading settings', () => {
  it('removes the slash at the end of a public address', () => {
    expect(loadSettings(shape, { ...needed, SITE_URL: 'https://steward.example.test/a//' }).site).toBe(
      'https://steward.example.test/a',
    );
  });

  it('uses the default of an unset variable, or undefined if there is none', () => {
    expect(loadSettings(shape, needed)).toEqual({
      enabled: true,
      size: 5,
      ratio: 0.5,
      name: undefined,
      hosts: [],
      doors: [],
      networks: [],
      level: 'low',
      key: needed.SECRET_KEY,
      site: 'http://127.0.0.1:8000',
      server: needed.SERVER_URL,
    });
  });

  it('treats an empty or blank variable as unset', () => {
    expect(loadSettings(shape, { ...needed, SIZE: '', LEVEL: '   ' })).toMatchObject({ size: 5, level: 'low' });
    expect(listProblems({ SECRET_KEY: ' ' })).toEqual(['SECRET_KEY is not set: d']);
  });

  it.each([
    ['ENABLED', 'Off', 'enabled', false],
    ['ENABLED', '1', 'enabled', true],
    ['SIZE', ' 10 ', 'size', 10],
    ['RATIO', '0', 'ratio', 0],
    ['HOSTS', ' a, b ,,c,', 'hosts', ['a', 'b', 'c']],
    ['DOORS', '1, 9', 'doors', [1, 9]],
    ['LEVEL', 'high', 'level', 'high'],
  ])('reads %s=%j as %s = %j', (variable, text, key, value) => {
    expect(loadSettings(shape, { ...needed, [variable]: text })).toHaveProperty(key, value);
  });

  it.each([
    ['ENABLED', 'maybe', /^ENABLED must be true or false$/],
    ['SIZE', '0', /^SIZE must be a whole number from 1 to 10$/],
    ['SIZE', '11', /^SIZE/],
    ['DOORS', '1,10', /^DOORS must be a whole number from 1 to 9$/],
    ['NETWORKS', '10.0.0.0/8, garbage', /^NETWORKS "garbage" is not a network$/],
    ['SIZE', '1.5', /^SIZE/],
    ['SIZE', '5 MB', /^SIZE/],
    ['SIZE', 'NaN', /^SIZE/],
    ['RATIO', '-1', /^RATIO must be a number of at least 0$/],
    ['RATIO', '1e400', /^RATIO/],
    ['LEVEL', 'HIGH', /^LEVEL must be one of: low, high$/],
    ['SECRET_KEY', 'short', /^SECRET_KEY must have at least 16 characters$/],
    ['SITE_URL', 'ftp://steward.example', /^SITE_URL must be a URL starting with https:\/\/ or http:\/\//],
    ['SITE_URL', 'https://u:p@steward.example', /^SITE_URL/],
    ['SERVER_URL', 'http://broker', /^SERVER_URL must be a URL starting with nats:\/\/ or tls:\/\/$/],
    ['SERVER_URL', 'broker:4222', /^SERVER_URL/],
  ])('refuses %s=%s with a line that lists what is accepted', (variable, text, expected) => {
    expect(listProblems({ [variable]: text })).toEqual([expect.stringMatching(expected)]);
  });

  it('reports all errors together', () => {
    const problems = listProblems({ SIZE: 'x', LEVEL: 'x', SERVER_URL: '' });
    expect(problems.map((line) => line.split(' ')[0])).toEqual(['SIZE', 'LEVEL', 'SERVER_URL']);
  });

  it('does not repeat a refused secret', () => {
    const problems = listProblems({ SECRET_KEY: 'hunter2', SERVER_URL: 'http://u:hunter2@broker' });
    expect(problems).toHaveLength(2);
    expect(problems.join()).not.toContain('hunter2');
  });

  it('returns a result that cannot be changed', () => {
    const settings = loadSettings(shape, { ...needed, HOSTS: 'a' });
    expect(() => Object.assign(settings, { size: 7 })).toThrow(TypeError);
    expect(() => (settings.hosts as string[]).push('b')).toThrow(TypeError);
    expect(() => (loadSettings(shape, needed).hosts as string[]).push('b')).toThrow(TypeError);
  });
});

describe('a setting for the age of rows', () => {
  const shape = { days: setting.retentionDays('AGE_DAYS', { shortest: 35, description: 'd' }) };

  it.each(['0', '35', '36500'])('accepts %s', (text) => {
    expect(loadSettings(shape, { AGE_DAYS: text }).days).toBe(Number(text));
  });

  it.each(['1', '34', '-1', '36501', '35.5', 'never'])('refuses %s', (text) => {
    expect(() => loadSettings(shape, { AGE_DAYS: text })).toThrow(/AGE_DAYS/);
  });

  it('is 0 by default: nothing is removed', () => {
    expect(loadSettings(shape, {}).days).toBe(0);
  });
});

describe('printing settings', () => {
  it('shows plain values, masks addresses, and only reports whether secrets are set', () => {
    expect(maskSettings(shape, loadSettings(shape, needed))).toEqual({
      DOORS: [],
      NETWORKS: [],
      ENABLED: true,
      SIZE: 5,
      RATIO: 0.5,
      NAME: null,
      HOSTS: [],
      LEVEL: 'low',
      SECRET_KEY: 'configured',
      SITE_URL: 'http://127.0.0.1:8000',
      SERVER_URL: 'nats://broker:4222',
    });
  });

  it('hides a secret that looks like an address', () => {
    const key = 'https://canary.example/secret-path';
    const masked = maskSettings(shape, loadSettings(shape, { ...needed, SECRET_KEY: key }));
    expect(JSON.stringify(masked)).not.toContain('canary');
  });

  it('shows an optional missing secret as "not set"', () => {
    const optional = { token: setting.maskedText('TOKEN', { description: 'd' }) };
    expect(maskSettings(optional, loadSettings(optional, {}))).toEqual({ TOKEN: 'not set' });
    expect(maskSettings(optional, loadSettings(optional, { TOKEN: 'x:canary' }))).toEqual({ TOKEN: 'configured' });
  });

  it('removes user, password, query and fragment of an address', () => {
    expect(maskUrl('postgres://user:p%40ss@db.internal:5433/steward?sslpassword=x#y')).toBe(
      'postgres://db.internal:5433/steward',
    );
  });
});

describe('settings common to all processes', () => {
  it('require only the two server addresses', () => {
    const settings = loadSettings(workerSettings, { DATABASE_URL: 'postgres://db/steward', NATS_URL: 'nats://broker' });
    expect(settings).toMatchObject({ logLevel: 'info', debug: false, healthPort: 8080 });
  });

  it('report both missing server addresses', () => {
    expect(() => loadSettings(baseSettings, {})).toThrow(/DATABASE_URL is not set.*NATS_URL is not set/);
  });
});
