import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { startNats } from '@steward/local-servers';

export interface TestBroker {
  readonly url: string;
  stop(): Promise<void>;
  /** Ends it as a crash would; `restart` brings it back on the same port with the same store. */
  kill(): Promise<void>;
  restart(): Promise<void>;
}

/** A nats-server with JetStream for one test file: streams have fixed names, so files do not share one. */
export async function startTestBroker(
  options: { readonly extraArguments?: readonly string[] } = {},
): Promise<TestBroker> {
  const dataDirectory = mkdtempSync(resolve(tmpdir(), 'steward-test-nats-'));
  const server = await startNats({
    ...options,
    dataDirectory,
    allowInstall: process.env.STEWARD_NO_INSTALL !== '1',
    progress: (line) => void process.stderr.write(`test broker: ${line}\n`),
  });
  return {
    url: server.url,
    kill: () => server.kill(),
    restart: () => server.restart(),
    async stop() {
      await server.stop();
      rmSync(dataDirectory, { recursive: true, force: true });
    },
  };
}
