import { randomBytes, randomUUID } from 'node:crypto';
import { spawn, type ChildProcess } from 'node:child_process';
import { resolve } from 'node:path';
import { EVENT_TYPES } from '@steward/contracts';
import { buildRequestHeaders } from '@steward/webhooks';
import { eventually } from '@steward/testing';

const EXAMPLES = resolve(import.meta.dirname, '../../../docs/use/receivers');
const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;
const secret = newSecret();
const older = newSecret();

interface Receiver {
  readonly url: string;
  readOutput(): string;
  stop(): Promise<void>;
}

/** Runs one example as its README describes. */
async function startExample(file: string): Promise<Receiver> {
  const child = spawn(process.execPath, [resolve(EXAMPLES, file)], {
    env: { PATH: process.env.PATH ?? '', PORT: '0', WEBHOOK_SECRETS: `${secret},${older}` },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => {
      output += data.toString('utf8');
    });
  const url = await eventually(() => {
    if (child.exitCode !== null) throw new Error(`it ended: ${output}`);
    return /listening on (\S+)/.exec(output)?.[1];
  });
  return { url, readOutput: () => output, stop: () => endProcess(child) };
}

function endProcess(child: ChildProcess): Promise<void> {
  return new Promise((done) => {
    child.once('exit', () => done());
    child.kill('SIGTERM');
  });
}

/** Builds a request as the dispatcher does. */
function buildRequest(options: { secrets?: string[]; id?: string; secondsAgo?: number; padding?: number } = {}) {
  const { secrets = [secret], id = randomUUID(), secondsAgo = 0, padding = 0 } = options;
  const envelope = {
    id,
    type: 'session.ended',
    version: '1',
    occurred_at: '2026-11-20T09:00:00.000Z',
    account_id: randomUUID(),
    data: { ...EVENT_TYPES['session.ended'].example, session_source_id: 'ü'.repeat(padding) },
  };
  // The body contains spaces that no serializer would write, so that only the raw bytes can match.
  const body = Buffer.from(JSON.stringify(envelope).replace(',', ' ,  '));
  const timestamp = Math.floor(Date.now() / 1000) - secondsAgo;
  const facts = { eventId: id, eventType: 'session.ended', deliveryId: randomUUID(), attemptNumber: 1 };
  const { 'Content-Length': _length, ...headers } = buildRequestHeaders({
    ...facts,
    secrets,
    timestamp,
    traceparent: null,
    body,
  });
  return { id, body, headers };
}

async function send(url: string, { body, headers }: Pick<ReturnType<typeof buildRequest>, 'body' | 'headers'>) {
  const response = await fetch(url, { method: 'POST', headers, body: new Uint8Array(body) });
  return { status: response.status, text: await response.text() };
}

describe.each(['express.mjs', 'fastify.mjs', 'node-http.mjs'])('the receiver %s', (file) => {
  let receiver: Receiver;

  beforeAll(async () => {
    receiver = await startExample(file);
  });

  afterAll(() => receiver.stop());

  it('accepts a signed event, and handles it once however often it is delivered', async () => {
    const request = buildRequest();
    const answers = [await send(receiver.url, request), await send(receiver.url, request)];
    expect(answers.map((answer) => answer.status)).toEqual([202, 200]);
    const last = buildRequest();
    await send(receiver.url, last);
    await eventually(() => receiver.readOutput().includes(`handled session.ended ${last.id}`));
    expect(receiver.readOutput().split(`handled session.ended ${request.id}`)).toHaveLength(2);
  });

  it('accepts either secret of a rotation', async () => {
    expect((await send(receiver.url, buildRequest({ secrets: [older] }))).status).toBe(202);
    expect((await send(receiver.url, buildRequest({ secrets: [secret, older] }))).status).toBe(202);
  });

  it('accepts an event of nearly 64 KB', async () => {
    expect((await send(receiver.url, buildRequest({ padding: 32_000 }))).status).toBe(202);
  });

  it('refuses a wrong secret, changed bytes, an old request and a missing header, and returns the reason', async () => {
    const genuine = buildRequest();
    const changed = { ...genuine, body: Buffer.from(genuine.body.toString().replace('operator', 'operatOr')) };
    const { 'X-Service-Signature': _own, 'webhook-signature': _standard, ...unsigned } = genuine.headers;
    const cases = [
      [buildRequest({ secrets: [newSecret()] }), 'signature_mismatch'],
      [changed, 'signature_mismatch'],
      [buildRequest({ secondsAgo: 400 }), 'timestamp_too_old'],
      [{ ...genuine, headers: unsigned }, 'header_missing'],
    ] as const;
    for (const [request, code] of cases) {
      const answer = await send(receiver.url, request);
      expect([answer.status, JSON.parse(answer.text)]).toEqual([400, { error: code }]);
    }
    expect(receiver.readOutput()).not.toContain(genuine.id);
  });
});
