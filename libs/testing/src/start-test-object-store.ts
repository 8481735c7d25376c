import type { IncomingMessage, ServerResponse } from 'node:http';
import { mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';

export interface TestObjectStore {
  readonly url: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Environment variables that make the server the evidence store of an app. */
  readonly evidence: Readonly<Record<string, string>>;
  /** Environment variables that make the server the store of large content of an app. */
  readonly content: Readonly<Record<string, string>>;
  /** If true, the server closes the connection of every request. */
  setDown(isDown: boolean): void;
  /** Sets the modification time of an object. */
  age(key: string, putAt: Date): void;
  listKeys(): string[];
  stop(): Promise<void>;
}

/** Suffix of the file that holds an object's content on disk, defined by the server's package. */
const CONTENT_SUFFIX = '._S3rver_object';
/** Key id and secret of the only credential that the package accepts. */
const CREDENTIAL = 'S3RVER';

/**
 * Starts an S3-compatible server with one empty bucket. Without `checksSignatures` it accepts all requests, because for
 * requests with the bucket in the host name its package computes signatures that differ from Amazon's reference.
 */
export async function startTestObjectStore({ checksSignatures = true } = {}): Promise<TestObjectStore> {
  const bucket = 'evidence';
  // The package is imported only here, because it is slow and few tests need it.
  const { default: S3rver } = await import('@20minutes/s3rver');
  const directory = mkdtempSync(resolve(tmpdir(), 'steward-object-store-'));
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    // Host names that contain the bucket end with `s3.` followed by this name.
    serviceEndpoint: 'localhost',
    allowMismatchedSignatures: !checksSignatures,
    configureBuckets: [{ name: bucket }],
  });
  const { port } = await server.run();
  const url = `http://127.0.0.1:${port}`;
  const { httpServer } = server;
  const handlers = httpServer.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[];
  let isServerDown = false;
  httpServer.removeAllListeners('request');
  httpServer.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (isServerDown) request.socket.destroy();
    else for (const handle of handlers) handle(request, response);
  });
  const describe = (variables: string): Record<string, string> => ({
    [`${variables}_ENDPOINT`]: url,
    [`${variables}_BUCKET`]: bucket,
    [`${variables}_PREFIX`]: 'steward/',
    [`${variables}_ACCESS_KEY_ID`]: CREDENTIAL,
    [`${variables}_SECRET_ACCESS_KEY`]: CREDENTIAL,
    [`${variables}_TIMEOUT_SECONDS`]: '60',
  });
  return {
    url,
    evidence: { EVIDENCE_STORE: 's3', ...describe('EVIDENCE_S3') },
    content: describe('SESSION_CONTENT_S3'),
    setDown: (isDown) => void (isServerDown = isDown),
    bucket,
    accessKeyId: CREDENTIAL,
    secretAccessKey: CREDENTIAL,
    age: (key, putAt) => utimesSync(resolve(directory, bucket, `${key}${CONTENT_SUFFIX}`), putAt, putAt),
    listKeys: () =>
      readdirSync(resolve(directory, bucket), { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith(CONTENT_SUFFIX))
        .map((path) => path.slice(0, -CONTENT_SUFFIX.length)),
    async stop() {
      httpServer.closeAllConnections();
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
