import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { createLogger, createMetrics, reportHealth, StartupError } from '@steward/process';
import { createBrokerHealthCheck } from './broker-health.ts';
import { connectBroker } from './connect-broker.ts';
import { findFreePort } from '@steward/local-servers';
import { createTestCertificates } from '@steward/testing';
import { defineGreeting } from './testing/define-greeting.ts';
import { connectTestBroker, eventually, startServer, useTestBrokers } from './testing/test-broker.ts';

useTestBrokers();

const logger = createLogger({ service: 'test', level: 'error', pretty: false });

function connectTo(url: string, connectTimeoutSeconds = 10) {
  return connectBroker({ url, name: 'test', logger, metrics: createMetrics('test'), connectTimeoutSeconds });
}

describe('connecting to the broker', () => {
  it('an unreachable broker prevents the start with one line that names the variable and the address, never the credentials', async () => {
    const port = await findFreePort();
    const failure = await connectTo(`nats://someone:hunter2secret@127.0.0.1:${port}`).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StartupError);
    const { message } = failure as StartupError;
    expect(message).toContain('NATS_URL');
    expect(message).toContain(`127.0.0.1:${port}`);
    expect(message).not.toMatch(/someone|hunter2secret|\n/);
  });

  it('an address that accepts connections but never responds makes the start fail within the time limit', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    const { port } = silent.address() as AddressInfo;
    // The shortest wait is compared: on a busy machine some of the waits may be delayed, but not all.
    const waits: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const startedAt = performance.now();
      await expect(connectTo(`nats://127.0.0.1:${port}`, 1)).rejects.toBeInstanceOf(StartupError);
      waits.push(performance.now() - startedAt);
    }
    expect(Math.min(...waits)).toBeLessThan(8000);
    for (const socket of sockets) socket.destroy();
    silent.close();
  });

  it('a server without JetStream is refused with a message that explains how to enable it', async () => {
    const server = await startServer({ extraArguments: ['-js=false'] });
    await expect(connectTo(server.url)).rejects.toThrow(
      /runs without JetStream; start nats-server with -js \(NATS_URL\)/,
    );
    await server.stop();
  });

  it('the user and password of the URL are used, and a wrong one is refused without being printed', async () => {
    const server = await startServer({ open: true, extraArguments: ['--user', 'steward', '--pass', 'p@ss/word'] });
    const address = new URL(server.url).host;
    const { broker } = await connectTestBroker(`nats://steward:${encodeURIComponent('p@ss/word')}@${address}`, {});
    await broker.checkHealth();
    await broker.close();
    const failure = await connectTo(`nats://steward:wrongsecret@${address}`).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StartupError);
    expect((failure as Error).message).not.toContain('wrongsecret');
    await server.stop();
  });

  it('a server that refuses the client certificate makes the start fail with this refusal, before the time limit', async () => {
    const { authority, issue, issueSelfSigned } = createTestCertificates();
    const server = await startServer({ open: true, tls: (host) => ({ ...issue(host), authority }) });
    const folder = mkdtempSync(resolve(tmpdir(), 'steward-broker-tls-'));
    const files = Object.entries({ ca: authority, ...issueSelfSigned('stranger.example.test') }).map(([name, text]) => {
      writeFileSync(resolve(folder, name), text);
      return [`${name}File`, resolve(folder, name)];
    });
    const tls = Object.fromEntries(files) as { caFile: string; certFile: string; keyFile: string };
    try {
      const connecting = connectBroker({ url: server.url, tls, name: 'test', logger, metrics: createMetrics('test') });
      const failure = await connecting.catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(StartupError);
      expect((failure as Error).message).toContain('NATS_URL');
      expect((failure as Error).message).not.toMatch(/time|no answer/);
    } finally {
      rmSync(folder, { recursive: true });
      await server.stop();
    }
  });

  it('a lost broker degrades health, and publishing recovers without a restart when the broker is available again', async () => {
    const server = await startServer();
    const { broker, lines } = await connectTestBroker(server.url, { hello: defineGreeting('hello') });
    await broker.ensureStreams();
    const checks = [createBrokerHealthCheck(broker)];
    await eventually(async () =>
      expect(await reportHealth(checks)).toEqual({ status: 'healthy', checks: { broker: 'ok' } }),
    );

    await server.kill();
    await eventually(() => expect(broker.isConnected()).toBe(false));
    expect(await reportHealth(checks)).toEqual({ status: 'degraded', checks: { broker: 'failed' } });

    await server.restart();
    await eventually(async () => expect((await reportHealth(checks)).status).toBe('healthy'));
    expect((await broker.publish('hello', { id: 'after', text: 'hi' })).kind).toBe('published');
    expect(lines.map((line) => line['event'])).toEqual(
      expect.arrayContaining(['broker.disconnected', 'broker.reconnected']),
    );
    await broker.close();
    await server.stop();
  });
});
