import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createTestCertificates, resolvingTo, startHttpReceiver } from '@steward/testing';
import { createEmbeddingClient, type EmbeddingClientOptions } from './create-embedding-client.ts';

const HOST = 'models.example.test';
const certificates = createTestCertificates();
const opened: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

/** Starts a TLS provider that counts its requests. */
async function openTlsProvider(host = HOST) {
  let asked = 0;
  const server = createHttpsServer(certificates.issue(host), (request, response) => {
    request.resume();
    asked += 1;
    response.end('{"data":[{"index":0,"embedding":[1]}]}');
  });
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened.push({
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  });
  return { port: (server.address() as AddressInfo).port, countAsked: () => asked };
}

function ask(baseUrl: string, options: Partial<EmbeddingClientOptions> = {}) {
  const client = createEmbeddingClient({
    insecureOrigins: [],
    allowedPrivateCidrs: [],
    certificateAuthority: certificates.authority,
    resolve: resolvingTo('127.0.0.1'),
    ...options,
  });
  opened.push(client);
  return client.embed({ baseUrl, apiKey: 'key', model: 'm', inputs: ['one'], timeoutMs: 10_000 });
}

const misconfigured = (detail: string) => ({ kind: 'misconfigured', status: undefined, detail });

describe('the endpoint of a call (EMB-31)', () => {
  it.each([
    ['127.0.0.1', 'loopback'],
    ['10.0.0.1', 'private'],
    ['169.254.169.254', 'link_local'],
    ['0.0.0.0', 'reserved'],
    ['::1', 'loopback'],
  ])('is not called if its name resolves to %s', async (address, reason) => {
    const provider = await openTlsProvider();
    const outcome = await ask(`https://${HOST}:${provider.port}/v1`, { resolve: resolvingTo(address) });
    expect(outcome).toEqual(misconfigured(`the target address is ${reason}`));
    expect(provider.countAsked()).toBe(0);
  });

  it.each(['127.0.0.1', '[::ffff:127.0.0.1]', '2130706433'])('is not called as the literal %s', async (host) => {
    const provider = await openTlsProvider();
    expect(await ask(`https://${host}:${provider.port}`)).toEqual(misconfigured('the target address is loopback'));
    expect(provider.countAsked()).toBe(0);
  });

  it('can be in a network that the operator allows', async () => {
    const provider = await openTlsProvider();
    const baseUrl = `https://${HOST}:${provider.port}/v1`;
    const outcome = await ask(baseUrl, {
      allowedPrivateCidrs: ['127.0.0.0/8'],
      resolve: resolvingTo('10.0.0.1', '127.0.0.1'),
    });
    expect(outcome).toMatchObject({ kind: 'embedded' });
  });

  it('uses HTTPS, and its certificate must be valid', async () => {
    const provider = await openTlsProvider('another.example.test');
    const allowing = { allowedPrivateCidrs: ['127.0.0.0/8'] };
    expect(await ask(`http://${HOST}:${provider.port}/v1`, allowing)).toEqual(
      misconfigured('the endpoint is not https'),
    );
    expect(await ask(`https://${HOST}:${provider.port}/v1`, allowing)).toEqual({
      kind: 'unavailable',
      detail: 'the certificate is for another host name (ERR_TLS_CERT_ALTNAME_INVALID)',
    });
    expect(await ask('nonsense')).toMatchObject({ kind: 'misconfigured' });
    expect(provider.countAsked()).toBe(0);
  });

  it('can use HTTP and any address for an origin that the operator allowed, and for no other', async () => {
    const provider = await startHttpReceiver((_request, response) => {
      response.end('{"data":[{"index":0,"embedding":[1]}]}');
    });
    opened.push(provider);
    const insecureOrigins = [`HTTP://127.0.0.1:${provider.port}/`];
    expect(await ask(`${provider.url}/v1`, { insecureOrigins })).toMatchObject({ kind: 'embedded' });
    expect(await ask(`http://localhost:${provider.port}/v1`, { insecureOrigins })).toEqual(
      misconfigured('the endpoint is not https'),
    );
    expect(provider.requests).toHaveLength(1);
  });

  it('is never changed by a redirect, because redirects are not followed (EMB-32)', async () => {
    const target = await startHttpReceiver();
    opened.push(target);
    for (const status of [301, 302, 303, 307, 308]) {
      const provider = await startHttpReceiver((_request, response) => {
        response.writeHead(status, { location: `${target.url}/v1/embeddings` }).end();
      });
      opened.push(provider);
      // The target address is allowed like that of the provider, so that only the redirect itself is rejected.
      expect(await ask(`${provider.url}/v1`, { insecureOrigins: [provider.url, target.url] })).toEqual({
        kind: 'misconfigured',
        status,
        detail: `HTTP ${status}: redirects are not followed`,
      });
    }
    expect(target.requests).toHaveLength(0);
  });
});
