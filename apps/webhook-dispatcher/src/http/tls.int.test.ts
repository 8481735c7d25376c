import { createServer as createHttpsServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { createTestCertificates, resolvingTo, startHttpReceiver, type TestCertificates } from '@steward/testing';
import { measureLateness, SHORT_TIMEOUT_MS, TIMEOUT_MS } from '../testing/open-poster.ts';
import { startRawServer } from '../testing/raw-server.ts';
import { createPoster, type Poster, type PosterOptions, type PostResult } from './create-poster.ts';

const HOST = 'receiver.example.test';
let certificates: TestCertificates;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(() => {
  certificates = createTestCertificates();
});
afterEach(() => Promise.all(closing.splice(0).map((close) => close())));

interface TlsReceiver {
  readonly port: number;
  readonly requests: { readonly body: string; readonly serverName: string | false | null | undefined }[];
}

async function startTlsReceiver(options: ServerOptions): Promise<TlsReceiver> {
  const requests: TlsReceiver['requests'] = [];
  const server = createHttpsServer(options, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const serverName = (request.socket as TLSSocket).servername;
      requests.push({ body: Buffer.concat(chunks).toString(), serverName });
      response.writeHead(204).end();
    });
  });
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return { port: (server.address() as AddressInfo).port, requests };
}

/** Posts to a name that resolves to this machine, trusting the test's certificate authority. */
function post(port: number, options: Partial<PosterOptions> = {}): Promise<PostResult> {
  const poster: Poster = createPoster({
    timeoutMs: TIMEOUT_MS,
    guard: undefined,
    resolve: resolvingTo('127.0.0.1'),
    certificateAuthority: certificates.authority,
    ...options,
  });
  closing.push(() => poster.close());
  return poster.post({ url: `https://${HOST}:${port}/secret-path`, headers: {}, body: Buffer.from('{"canary":1}') });
}

describe('posting over TLS', () => {
  it('delivers to a receiver with a valid certificate, sends the host name in the handshake, and measures the handshake', async () => {
    const receiver = await startTlsReceiver(certificates.issue(HOST));
    const result = await post(receiver.port);
    expect(result).toMatchObject({ succeeded: true, responseStatus: 204, tlsMs: expect.any(Number) });
    expect(receiver.requests).toEqual([{ body: '{"canary":1}', serverName: HOST }]);
  });

  it.each<[string, () => ServerOptions, Partial<PosterOptions> | undefined, string]>([
    ['has expired', () => certificates.issue(HOST, -1), undefined, 'the certificate has expired (CERT_HAS_EXPIRED)'],
    [
      'is for another host',
      () => certificates.issue('other.example.test'),
      undefined,
      'the certificate is for another host name (ERR_TLS_CERT_ALTNAME_INVALID)',
    ],
    [
      'is self-signed',
      () => certificates.issueSelfSigned(HOST),
      undefined,
      'the certificate is self-signed (DEPTH_ZERO_SELF_SIGNED_CERT)',
    ],
    [
      'is signed by an unknown authority',
      () => certificates.issue(HOST),
      // This is the shipped configuration: the certificate authorities of the system.
      { certificateAuthority: undefined },
      'the certificate is not signed by a known authority (UNABLE_TO_VERIFY_LEAF_SIGNATURE)',
    ],
  ])('sends nothing to a receiver whose certificate %s, and reports it', async (_name, certificate, options, error) => {
    const receiver = await startTlsReceiver(certificate());
    const result = await post(receiver.port, options);
    expect(result).toMatchObject({ succeeded: false, responseStatus: null, errorClass: 'tls_error', error });
    expect(receiver.requests).toEqual([]);
    expect(JSON.stringify(result)).not.toMatch(/secret-path|canary|example\.test/);
  });

  it('refuses a receiver that supports only TLS 1.0', async () => {
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
    const receiver = await startTlsReceiver({ ...certificates.issue(HOST), ...old });
    expect(await post(receiver.port)).toMatchObject({
      errorClass: 'tls_error',
      error: expect.stringContaining('there is no common TLS version'),
    });
  });

  it('reports a receiver whose certificate is not valid for the host', async () => {
    const receiver = await startTlsReceiver({
      SNICallback: (_name, callback) => callback(new Error('no certificate for that name')),
    });
    expect(await post(receiver.port)).toMatchObject({
      succeeded: false,
      errorClass: expect.stringMatching(/^(?:tls_error|connection_lost)$/),
    });
  });

  it('reports a receiver that does not speak TLS', async () => {
    const receiver = await startHttpReceiver();
    closing.push(() => receiver.close());
    expect(await post(receiver.port)).toMatchObject({ errorClass: 'tls_error' });
    expect(receiver.requests).toEqual([]);
  });

  it('applies the total time limit to a handshake that never ends', async () => {
    const server = await startRawServer(() => undefined);
    closing.push(() => server.close());
    const { result, lateMs } = await measureLateness(SHORT_TIMEOUT_MS, () =>
      post(server.port, { timeoutMs: SHORT_TIMEOUT_MS }),
    );
    expect(result).toMatchObject({ succeeded: false, errorClass: 'connect_timeout' });
    expect(lateMs).toBeLessThan(SHORT_TIMEOUT_MS);
  });
});
