import { TIMEOUT_MS, startHttpReceiver, useFolder, type HttpReceiver } from '@steward/testing';
import { findConfigPath, readLogin, writeLogin } from '../config/config-file.ts';
import { createOutput } from '../output.ts';
import { createApiClient } from './api-client.ts';

describe('a stored login with an expired access token', () => {
  const home = useFolder();
  let service: HttpReceiver;
  let exchanges: number;
  beforeEach(async () => {
    exchanges = 0;
    // The service accepts each refresh token once, as in production.
    service = await startHttpReceiver((request, response) => {
      const url = request.path;
      if (!url.endsWith('/auth/refresh')) return void response.writeHead(200).end('{}');
      const { refresh_token: sent } = JSON.parse(request.body.toString()) as { refresh_token: string };
      if (sent !== `refresh-${exchanges}`) return void response.writeHead(401).end('{}');
      exchanges += 1;
      const body = { access_token: `access-${exchanges}`, refresh_token: `refresh-${exchanges}`, expires_in: 3600 };
      response.writeHead(200).end(JSON.stringify(body));
    });
    const tokens = { accessToken: 'access-0', refreshToken: 'refresh-0', expiresAt: '2020-01-01T00:00:00Z' };
    writeLogin(findConfigPath({ XDG_CONFIG_HOME: home() }), { url: service.url, tokens });
  });
  afterEach(() => service.close());
  /** Creates a client that reads the configuration as a separate command would. */
  const openClient = () => {
    const sink = { write: () => true };
    const output = createOutput({ stdout: sink, stderr: sink, env: {} });
    return createApiClient({ env: { XDG_CONFIG_HOME: home() }, output, signal: AbortSignal.timeout(TIMEOUT_MS) });
  };

  it('is refreshed once by any number of concurrent commands and requests', async () => {
    const clients = [openClient(), openClient(), openClient()];
    const answers = await Promise.all([...clients, ...clients].map((client) => client.call('GET', '/api/v1/users/me')));
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(exchanges).toBe(1);
    expect(readLogin(findConfigPath({ XDG_CONFIG_HOME: home() }))?.tokens?.refreshToken).toBe('refresh-1');
  });
});
