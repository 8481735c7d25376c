import { chmodSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { useFolder } from '@steward/testing';
import { createOutput } from '../output.ts';
import { findConfigPath, readLogin, writeLogin } from './config-file.ts';
import { findCredentials } from './find-credentials.ts';

describe('a stored login', () => {
  const home = useFolder();
  let notes: string[];
  beforeEach(() => {
    notes = [];
  });
  const find = (env: Record<string, string> = {}, fallback?: string) => {
    const sink = { write: (text: string) => notes.push(text) };
    const all = { XDG_CONFIG_HOME: home(), ...env };
    return findCredentials({ env: all, output: createOutput({ stdout: sink, stderr: sink, env: {} }) }, fallback);
  };
  const store = () => {
    const path = findConfigPath({ XDG_CONFIG_HOME: home() });
    writeLogin(path, { url: 'https://a.example', apiKey: 'stored-key' });
    return path;
  };

  it('is readable only by its owner, even if the file was readable before', () => {
    const path = store();
    chmodSync(path, 0o644);
    store();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700);
    expect(readLogin(path)).toEqual({ url: 'https://a.example', apiKey: 'stored-key' });
  });

  it('warns about a file that others can read', () => {
    chmodSync(store(), 0o640);
    find();
    expect(notes.join('')).toContain('chmod 600');
  });

  it('is never sent to a different URL', () => {
    store();
    expect(find({ STEWARD_URL: 'https://b.example' })).toBeUndefined();
    expect(find({ STEWARD_URL: 'https://a.example/' })?.url).toBe('https://a.example');
  });

  it('is overridden by the environment', () => {
    store();
    const found = find({ STEWARD_URL: 'https://b.example', STEWARD_API_KEY: 'env-key' });
    expect(found).toEqual({ url: 'https://b.example', credential: { kind: 'key', key: 'env-key' } });
  });

  it('is not overridden by an empty variable, because CI systems set missing secrets to an empty string', () => {
    store();
    expect(find({ STEWARD_URL: '', STEWARD_API_KEY: '' })?.url).toBe('https://a.example');
  });

  it('is not printed if the file is damaged', () => {
    const path = store();
    writeFileSync(path, '{"apiKey": "hunter2hunter2');
    expect(() => readLogin(path)).toThrow(/^(?!.*hunter2).*damaged/);
  });
});
