import { deriveKey, KEY_PURPOSES } from '@steward/crypto';
import { eventually, startHttpReceiver, type HttpReceiver } from '@steward/testing';
import { startDispatching, type Dispatching } from './testing/start-dispatching.ts';

let suite: Dispatching;
let receiver: HttpReceiver;

beforeAll(async () => {
  suite = await startDispatching();
  receiver = await startHttpReceiver();
});
afterAll(async () => {
  await suite.close();
  await receiver.close();
});

const OWN_KEY = deriveKey('a-secret-key-for-tests-only-0123456789', KEY_PURPOSES.endpoint);
const OTHER_KEY = deriveKey('another-secret-key-for-tests-0123456789', KEY_PURPOSES.endpoint);

describe('the output of the dispatcher: log, metrics and database rows', () => {
  it('never contains a secret, the URL, the body or a receiver’s response, whatever the outcome', async () => {
    receiver.respondWith((request, response) => {
      if (request.path.startsWith('/reset')) return void response.destroy();
      const status = Number(request.path.slice(1, 4));
      response.writeHead(status, { location: 'http://canary-location.example/', 'x-note': 'canary-answer-header' });
      response.end('canary-answer-body');
    });
    const tail = 'canary-path?token=canary-query';
    const urls = [
      `${receiver.url}/200/${tail}`,
      `${receiver.url}/500/${tail}`,
      `${receiver.url}/302/${tail}`,
      `${receiver.url}/reset/${tail}`,
      `http://127.0.0.1:9/${tail}`,
      `https://127.0.0.1:${receiver.port}/${tail}`,
      `http://does-not-exist.invalid/${tail}`,
    ];
    const environment = {
      LOG_LEVEL: 'debug',
      WEBHOOK_CIRCUIT_FAILURE_THRESHOLD: '2',
      WEBHOOK_DELIVERY_TIMEOUT_SECONDS: '2',
    };
    const child = await suite.startProcess(environment);
    const endpoints = [];
    for (const url of urls) endpoints.push(await suite.addEndpoint(url));
    for (const { accountId } of endpoints) {
      await suite.emitChanged(accountId, 'agent.note_sent', { text: 'canary-body' });
      await suite.emitChanged(accountId, 'agent.note_sent', { text: 'canary-body' });
    }
    const attempts = () =>
      child
        .readOutput()
        .split('\n')
        .filter((line) => line.includes('"delivery.attempted"'));
    await eventually(() => attempts().length >= 2 * urls.length);
    // An attempt is logged before it is stored, and a killed process stores nothing more.
    await eventually(
      async () => (await suite.query('select from webhooks.attempt', [])).rows.length >= 2 * urls.length,
    );
    const metrics = await (await fetch(`http://127.0.0.1:${child.healthPort}/metrics`)).text();
    const health = await (await fetch(`http://127.0.0.1:${child.healthPort}/api/v1/health`)).text();
    await child.kill();
    // Secrets that cannot be decrypted are an internal error with a separate error line (HOOK-18).
    const mismatched = await suite.startProcess({
      LOG_LEVEL: 'debug',
      ENDPOINT_SECRET_KEY: OTHER_KEY,
      SECRET_KEY_LOST: 'true',
    });
    await suite.query(
      `update webhooks.delivery set next_attempt_at = now() - interval '1 s', claim_token = null, claim_until = null`,
      [],
    );
    await suite.query("update webhooks.endpoint set circuit_state = 'closed', circuit_open_until = null", []);
    await eventually(() => mismatched.readOutput().includes('"delivery.not_attempted"'));

    const { rows } = await suite.query(
      `select a.*, d.last_error from webhooks.attempt a left join webhooks.delivery d on d.id = a.delivery_id`,
      [],
    );
    expect(rows.length).toBeGreaterThanOrEqual(2 * urls.length);
    const sinks = {
      child: child.readOutput(),
      mismatched: mismatched.readOutput(),
      metrics,
      health,
      rows: JSON.stringify(rows),
    };
    const secrets = endpoints.map((endpoint) => endpoint.secret);
    for (const [sink, text] of Object.entries(sinks)) {
      expect([sink, /canary|whsec_/.exec(text)?.[0]]).toEqual([sink, undefined]);
      for (const secret of secrets) expect(text.includes(secret.slice('whsec_'.length))).toBe(false);
      for (const key of [OWN_KEY, OTHER_KEY]) expect(text.includes(key)).toBe(false);
    }
    // The receiver did get everything: the scan above had data to search.
    expect(receiver.requests[0]!.path).toContain('canary-query');
    expect(receiver.requests[0]!.body.toString()).toContain('canary-body');
  });
});
