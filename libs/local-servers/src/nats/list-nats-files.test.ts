import { listNatsFiles } from './list-nats-files.ts';

const locate = (name: string): string => `/where/${name}`;
const user = { name: 'someone', password: 'p', publish: ['>'], subscribe: ['>'] };

describe('the secret files of a broker', () => {
  it('are empty for a broker without authentication', () => {
    expect(listNatsFiles({}, locate)).toEqual({ arguments: [], files: [] });
  });

  it('contain every user and every certificate, at the paths given in the server configuration', () => {
    const tls = { cert: 'CERT', key: 'KEY', authority: 'CA' };
    const { arguments: given, files } = listNatsFiles({ users: [user], tls }, locate);
    expect(given).toEqual([
      '--config=/where/nats.conf',
      '--tlscert=/where/server.pem',
      '--tlskey=/where/server.key',
      '--tlscacert=/where/clients.pem',
      '--tlsverify',
    ]);
    expect(Object.fromEntries(files.map(({ path, content }) => [path, content]))).toMatchObject({
      '/where/nats.conf': expect.stringContaining('user: "someone"'),
      '/where/server.pem': 'CERT',
      '/where/server.key': 'KEY',
      '/where/clients.pem': 'CA',
    });
  });
});
