import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { useFolder, type HttpReceiver } from '@steward/testing';
import { runHere } from '../testing/run-here.ts';
import { startService } from '../testing/start-service.ts';

const TOKENS = { access_token: 'access-of-a-test', refresh_token: 'refresh-of-a-test', expires_in: 900 };

describe('logging in', () => {
  let service: HttpReceiver;
  const folder = useFolder();
  let registered: number;
  beforeEach(async () => {
    registered = 201;
    service = await startService(({ path }) => {
      if (!path.endsWith('/register')) return [200, { ...TOKENS, username: 'dana', role: 'owner' }];
      const detail = { code: 'registration_closed', message: 'Nobody may register here.' };
      return [registered, registered === 201 ? {} : { detail }];
    });
  });
  afterEach(() => service.close());

  const login = (...args: readonly string[]) =>
    runHere('', ['login', '--url', service.url, '--username', 'dana', ...args], 'correct horse\n', undefined, {
      XDG_CONFIG_HOME: folder(),
    });

  it('creates the account first on request', async () => {
    expect(await login('--register', 'dana@example.test')).toContain('as dana (owner)');
    const [made, ...others] = service.requests;
    expect(made?.path).toBe('/api/v1/auth/register');
    const body = { username: 'dana', email: 'dana@example.test', password: 'correct horse' };
    expect(JSON.parse(made?.body.toString() ?? '')).toEqual(body);
    expect(others.map(({ path }) => path)).toEqual(['/api/v1/auth/token/json', '/api/v1/users/me']);
    expect(await readFile(join(folder(), 'steward', 'config.json'), 'utf8')).toContain(TOKENS.access_token);
  });

  it('creates no account unless requested, and fails if registration is closed', async () => {
    await login();
    expect(service.requests.map(({ path }) => path)).not.toContain('/api/v1/auth/register');
    registered = 403;
    await expect(login('--register', 'dana@example.test')).rejects.toThrow('Nobody may register here.');
    expect(service.requests.at(-1)?.path).toBe('/api/v1/auth/register');
    await expect(login('--register', 'dana@example.test', '--api-key')).rejects.toThrow('a separate way');
  });
});
