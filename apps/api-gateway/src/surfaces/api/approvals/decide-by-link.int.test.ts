import { createSecretBox } from '@steward/crypto';
import { eventually } from '@steward/testing';
import { openMail, type Mail } from '@steward/webhooks';
import { findInDatabase } from '../../../testing/find-in-database.ts';
import { SECRET_KEY } from '../../../testing/start-gateway.ts';
import { useApprovals } from '../../../testing/approval-tests.ts';

const approvals = useApprovals({ MAIL_FROM: 'steward@example.test', PUBLIC_URL: 'https://steward.example.test/' });
const { call, decide, hold, read } = approvals;
const secretBox = createSecretBox(SECRET_KEY, 'webhook-endpoint');

/** Returns the mails that wait to be sent. */
async function readMails(): Promise<(Mail & { readonly token: string })[]> {
  const rows = await approvals.people.query(
    `select d.endpoint_id, v.body from webhooks.delivery d
     join webhooks.event v on v.account_id = d.account_id and v.id = d.event_id
     where d.account_id = $1 and d.event_type = 'approval.mail'`,
    [approvals.owner().accountId],
  );
  const mails = rows.map((row) => openMail(row['body'] as Buffer, row['endpoint_id'] as string, secretBox));
  return mails.map((mail) => ({ ...mail, token: /\/approval\/([A-Za-z0-9_-]{43})/.exec(mail.text)?.[1] ?? '' }));
}
/** Returns the mails, keyed by the recipient's address. */
const readMail = async () => new Map((await readMails()).map((mail) => [mail.to, mail]));
const open = (token: string, method = 'GET') =>
  fetch(`${approvals.people.gateway().url}/approval/${token}`, { method });
const post = (token: string, fields: Record<string, string>) =>
  fetch(`${approvals.people.gateway().url}/approval/${token}`, { method: 'POST', body: new URLSearchParams(fields) });
async function mailOfDana() {
  const mail = (await readMail()).get(approvals.dana().email);
  if (mail === undefined) throw new Error('no mail');
  return mail;
}

describe('the mail of a request (APR-15)', () => {
  it('is sent only to the people who are asked, each with a personal link', async () => {
    const other = await approvals.people.add(approvals.owner().accessToken, 'editor');
    await approvals.people.add(approvals.owner().accessToken, 'tracker_manager');
    await hold({ arguments: { note: '<b>bold</b>' }, reasoning: 'Because "why" & so on' });
    const mails = await readMail();
    expect([...mails.keys()].sort()).toEqual([approvals.dana().email, other.email].sort());
    const { from, subject, text, html, token } = await mailOfDana();
    expect([from, subject]).toEqual([
      'steward@example.test',
      `Approve? ${approvals.owner().username} wants to call deploy`,
    ]);
    expect(text).toContain(`Decide: https://steward.example.test/approval/${token}`);
    expect(text).toContain('"note": "<b>bold</b>"');
    expect(html).toContain('&lt;b&gt;bold&lt;/b&gt;');
    expect(html).toContain('Because &quot;why&quot; &amp; so on');
    expect(mails.get(other.email)?.token).not.toBe(token);
  });

  it('is not sent if the workflow has no mail, or if the call is already being processed', async () => {
    await call('POST', '/approval-workflows', { name: 'quiet', email: false, is_default: true });
    await hold();
    await approvals.check({ tool_name: 'read_file' });
    expect((await readMail()).size).toBe(0);
  });

  it('appears in no list except the deliveries, and its token is not stored in plain text (AP-3)', async () => {
    await hold();
    const { token } = await mailOfDana();
    expect((await call('GET', '/event-webhooks/endpoints')).body.items).toEqual([]);
    const { items } = (await call('GET', '/event-webhooks/deliveries')).body;
    expect(items).toMatchObject([{ event_type: 'approval.mail', status: 'pending' }]);
    expect((await call('GET', `/event-webhooks/endpoints/${items[0].endpoint_id}`)).status).toBe(404);
    expect(await findInDatabase(approvals.people.gateway().database.url, token)).toEqual([]);
  });
});

describe('the mail about a request that can no longer be approved (APR-24)', () => {
  const mailsOf = async (to: string) => (await readMails()).filter((mail) => mail.to === to);

  it('is sent once a day to users who can change its workflow, without the content of the call', async () => {
    await call('POST', '/approval-workflows', {
      name: 'solo',
      is_default: true,
      approver_user_ids: [approvals.dana().id],
    });
    const [first, second] = [await hold({ reasoning: 'canary' }), await hold({ arguments: { note: 'canary' } })];
    await call('PATCH', `/users/${approvals.dana().id}`, { is_active: false });
    const { email } = (await call('GET', '/users/me')).body;
    const about = async () => (await mailsOf(email)).filter(({ subject }) => subject.includes('Nobody can approve'));
    await eventually(async () => (await about()).length > 0);
    const [mail] = await about();
    expect(mail?.subject).toBe('Nobody can approve requests of the workflow "solo"');
    expect(mail?.text).toMatch(
      /nobody may decide on it\. .*The request: https:\/\/steward\.example\.test\/approvals\//s,
    );
    expect([first, second].some((id) => mail?.text.includes(id))).toBe(true);
    expect(JSON.stringify(mail)).not.toContain('canary');
    await hold({ arguments: { note: 'a third' } });
    expect(await about()).toHaveLength(1);
    expect(await mailsOf(approvals.dana().email)).toHaveLength(2);
  });
});

describe('deciding with the link of a mail (APR-16)', () => {
  it('happens on a page that shows the question; opening the page decides nothing (AP-3, WEB-38)', async () => {
    const id = await hold({ reasoning: '</textarea><script>alert(1)</script>' });
    const { token } = await mailOfDana();
    const looks = await Promise.all(
      Array.from({ length: 20 }, (_, index) => open(token, index % 2 === 0 ? 'GET' : 'HEAD')),
    );
    expect(new Set(looks.map(({ status }) => status))).toEqual(new Set([200]));
    const page = await open(token);
    const html = await page.text();
    expect(html).toContain('&lt;script&gt;');
    expect(html).not.toContain('<script');
    expect(html).toContain('<form method="post"');
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
      'content-security-policy': expect.stringMatching(/^default-src 'none'; form-action 'self'/) as unknown,
    });
    expect(await read(id)).toMatchObject({ status: 'pending', votes: [] });
  });

  it('shows invisible characters in a visible form (APR-23)', async () => {
    const signs = ['\u202e', '\u200b', '\u2060', '\u00ad', '\u{e0041}', '\u2066', '\u0085'];
    const text = `cat notes${signs.join('x')}.txt`;
    await hold({ arguments: { command: text }, reasoning: text });
    const { token, text: mail } = await mailOfDana();
    const page = await (await open(token)).text();
    for (const shown of [mail, page]) {
      expect(signs.filter((sign) => shown.includes(sign))).toEqual([]);
      expect(shown.match(/notes\\u\{202e\}x\\u\{200b\}x/g)).toHaveLength(2);
    }
  });

  it('counts once, as the vote of that person (AP-3, WEB-38)', async () => {
    const id = await hold();
    const { token } = await mailOfDana();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => post(token, { decision: 'approve', comment: 'By mail.' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404]);
    const { id: user_id, username: display } = approvals.dana();
    expect(await read(id)).toMatchObject({
      status: 'approved',
      comment: 'By mail.',
      votes: [{ user_id, display, via: 'email', decision: 'approve' }],
    });
    expect((await open(token)).status).toBe(404);
    const [row] = await approvals.people.readAudit(approvals.owner().accessToken);
    expect(row).toMatchObject({
      action: 'approve',
      resource_id: id,
      actor: { id: user_id },
      details: { via: 'email' },
    });
  });

  it('wakes up waiting callers', async () => {
    await hold();
    const { token } = await mailOfDana();
    const waiting = approvals.check({ wait_seconds: 60 });
    await post(token, { decision: 'decline' });
    expect((await waiting).body).toMatchObject({ decision: 'deny' });
  });

  it('returns the same response for a decided request and one that never existed', async () => {
    const id = await hold();
    const { token } = await mailOfDana();
    await decide(id, 'decline', {}, (await approvals.people.add(approvals.owner().accessToken, 'viewer')).token);
    const unknown = 'A'.repeat(43);
    const bodies = await Promise.all(
      [
        open(token),
        post(token, { decision: 'approve' }),
        open(unknown),
        post(unknown, { decision: 'approve' }),
        open('x'),
      ].map(async (answer) => [(await answer).status, await (await answer).text()]),
    );
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
    expect(bodies[0]?.[0]).toBe(404);
    expect(await read(id)).toMatchObject({ status: 'declined' });
  });

  it('is refused for users who are no longer allowed to decide', async () => {
    const id = await hold();
    const { token } = await mailOfDana();
    await call('PATCH', `/users/${approvals.dana().id}`, { is_active: false });
    expect((await post(token, { decision: 'approve' })).status).toBe(404);
    expect(await read(id)).toMatchObject({ status: 'pending' });
  });

  it('prompts again for a comment that the workflow requires', async () => {
    await call('POST', '/approval-workflows', { name: 'said', require_comment: true, is_default: true });
    await hold();
    const { token } = await mailOfDana();
    const silent = await post(token, { decision: 'approve', comment: ' ' });
    expect([silent.status, await silent.text()]).toEqual([422, expect.stringContaining('requires a comment')]);
    expect((await post(token, { decision: 'approve', comment: 'Read it.' })).status).toBe(200);
  });
});

const UNKNOWN = 'B'.repeat(43);

describe('a used or expired link (APR-16)', () => {
  const clickOften = async (token: string) => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? open(token) : post(token, { decision: 'decline' }))),
    );
    return [...new Set(answers.map(({ status }) => status))];
  };

  it('can be opened any number of times without using the request budget of the client address', async () => {
    await hold();
    const { token: used } = await mailOfDana();
    expect((await post(used, { decision: 'approve' })).status).toBe(200);
    expect(await clickOften(used)).toEqual([404]);
    const second = await hold({ arguments: { late: true } });
    const late = (await readMails()).find(({ token }) => token !== used)?.token ?? '';
    await approvals.age(second, 365 * 86_400);
    expect(await clickOften(late)).toEqual([404]);
    expect((await open(UNKNOWN)).status).toBe(404);
    expect((await post(UNKNOWN, { decision: 'approve' })).status).toBe(404);
  });
});

// This test is the last one, because it uses up the attempts allowed for the IP address of these tests.
describe('a valid link (APR-16)', () => {
  it('works even if other clients at the same address have opened many invalid ones', async () => {
    await hold();
    const { token } = await mailOfDana();
    const dead = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        index % 2 === 0 ? open(UNKNOWN) : post(UNKNOWN, { decision: 'approve' }),
      ),
    );
    expect(new Set(dead.map(({ status }) => status))).toEqual(new Set([404, 429]));
    expect((await open(token)).status).toBe(200);
    expect((await post(token, { decision: 'approve' })).status).toBe(200);
  });
});
