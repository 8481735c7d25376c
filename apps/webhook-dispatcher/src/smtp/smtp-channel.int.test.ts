import { createSecretBox, KEY_PURPOSES, newId } from '@steward/crypto';
import { queueMail } from '@steward/webhooks';
import { eventually } from '@steward/testing';
import { startMailServer, type MailServer } from '../testing/start-mail-server.ts';
import { FAST_SCHEDULE, useDispatching } from '../testing/use-dispatching.ts';

const SECRET_KEY = 'a-secret-key-for-tests-only-0123456789';
const secretBox = createSecretBox(SECRET_KEY, KEY_PURPOSES.endpoint);
const dispatching = useDispatching();

let server: MailServer;
beforeEach(async () => {
  server = await startMailServer();
});
afterEach(() => server.close());

const MAIL = {
  from: 'steward@example.test',
  to: 'dana@example.test',
  subject: 'Approve? Ünïcode',
  text: 'Decide: https://steward.example.test/approval/x',
  html: '<p>Decide</p>',
};
const queue = (accountId: string, id = newId(), mail = MAIL) =>
  dispatching.suite.write((trx, hints) =>
    queueMail(trx, hints, { accountId, id, now: new Date(), mail }, secretBox, {
      maxPendingPerAccount: 100,
    }),
  );
const list = (accountId: string) => dispatching.suite.list({ accountId });

describe('an e-mail (HOOK-39)', () => {
  it('is sent through the mail server, as plain text and HTML, once for each id', async () => {
    const accountId = newId();
    const id = newId();
    expect((await queue(accountId, id)).kind).toBe('emitted');
    expect((await queue(accountId, id)).kind).toBe('duplicate');
    await dispatching.suite.startDispatcher({ SMTP_URL: server.url }, FAST_SCHEDULE);
    await eventually(async () => (await list(accountId)).every(({ status }) => status === 'delivered'));
    const [mail, ...more] = server.mails;
    expect(more).toEqual([]);
    expect([mail?.from, mail?.to]).toEqual([MAIL.from, [MAIL.to]]);
    expect(mail?.raw).toContain(`Message-ID: <${id}@steward.invalid>`);
    expect(mail?.raw).toContain(MAIL.text);
    expect(mail?.raw).toContain('Content-Type: multipart/alternative');
  });

  it('that the server refuses is retried on the schedule, and is dead after the last attempt', async () => {
    const [patient, refused] = [newId(), newId()];
    server.refuse(({ to, attempt }) => to === 'never@example.test' || attempt < 3);
    await queue(patient);
    await queue(refused, newId(), { ...MAIL, to: 'never@example.test' });
    await dispatching.suite.startDispatcher({ SMTP_URL: server.url }, FAST_SCHEDULE);
    await eventually(async () => (await list(patient))[0]?.status === 'delivered');
    await eventually(async () => (await list(refused))[0]?.status === 'dead');
    expect((await list(refused))[0]).toMatchObject({ attemptCount: 6, responseStatus: 451, lastError: 'SMTP 451' });
    expect(server.mails.map(({ to }) => to)).toEqual([[MAIL.to]]);
  });

  it('about something that was deleted is not sent, and its delivery is completed', async () => {
    const accountId = newId();
    const id = newId();
    await queue(accountId, id);
    const { suite } = dispatching;
    // Simulates the state of a mail after `redactEvents`.
    await suite.query(`update webhooks.event set body = '' where id = $1`, [id]);
    await suite.startDispatcher({ SMTP_URL: server.url }, FAST_SCHEDULE);
    await eventually(async () => (await list(accountId))[0]?.status === 'delivered');
    expect((await list(accountId))[0]).toMatchObject({ attemptCount: 1, responseStatus: null });
    expect(server.mails).toEqual([]);
  });

  it('waits without a mail server, and is sent when there is one', async () => {
    const accountId = newId();
    await queue(accountId);
    const { stop } = await dispatching.suite.startDispatcher({}, FAST_SCHEDULE);
    const endpoint = await dispatching.suite.addEndpoint(dispatching.receiver.url);
    await dispatching.suite.emit(endpoint.accountId);
    await dispatching.receiver.waitForRequests(1);
    expect((await list(accountId))[0]).toMatchObject({ status: 'pending', attemptCount: 0 });
    await stop();
    // Simulates the expiry of the previous dispatcher's lease.
    await dispatching.suite.query(
      `update webhooks.delivery set claim_until = null, claim_token = null, next_attempt_at = now() where account_id = $1`,
      [accountId],
    );
    await dispatching.suite.startDispatcher({ SMTP_URL: server.url }, FAST_SCHEDULE);
    await eventually(async () => (await list(accountId))[0]?.status === 'delivered');
  });

  it('to an unavailable server fails like any other delivery', async () => {
    const accountId = newId();
    await queue(accountId);
    await dispatching.suite.startDispatcher({ SMTP_URL: 'smtp://127.0.0.1:1' }, FAST_SCHEDULE);
    await eventually(async () => (await list(accountId))[0]?.status === 'dead');
    expect((await list(accountId))[0]?.lastError).toMatch(/mail server cannot be reached/);
  });
});
