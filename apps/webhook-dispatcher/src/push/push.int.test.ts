import { newId } from '@steward/crypto';
import { eventually } from '@steward/testing';
import { ensurePushKey, listSubscriptions, NOTICE_TYPES, subscribe, type NoticeType } from '@steward/webhooks';
import { playBrowser, verifyVapid } from '../testing/played-browser.ts';
import { useDispatching } from '../testing/use-dispatching.ts';

const dispatching = useDispatching();
const SITE = 'https://steward.example.test';
/** The push service of the tests is on this machine. */
const PLAYED = { PUSH_ALLOWED_PRIVATE_CIDRS: '127.0.0.0/8', PUBLIC_URL: SITE };

interface Person {
  readonly accountId: string;
  readonly userId: string;
  readonly loginId: string;
}

/** A person with one login, as the gateway stores them. */
async function addPerson(role: string): Promise<Person> {
  const [accountId, userId, loginId] = [newId(), newId(), newId()];
  const { query } = dispatching.suite;
  await query(`insert into gateway.account (id, name) values ($1, 'test')`, [accountId]);
  await query(
    `insert into gateway.user_account (id, account_id, username, email, role_id)
     select $1, $2, $3, $3, id from gateway.role where account_id is null and name = $4`,
    [userId, accountId, `person-${userId}`, role],
  );
  await query(
    `insert into gateway.login (id, account_id, user_id, created_at, expires_at, ends_at)
     values ($1, $2, $3, now(), now() + interval '1 day', now() + interval '1 day')`,
    [loginId, accountId, userId],
  );
  return { accountId, userId, loginId };
}

async function addBrowser(person: Person, notices: readonly NoticeType[] = NOTICE_TYPES) {
  const { suite, receiver } = dispatching;
  const browser = playBrowser();
  const publicKey = await ensurePushKey(suite.db, suite.secretBox);
  const input = { ...person, url: `${receiver.url}/send/${newId()}`, keys: browser.keys, notices, description: '' };
  const outcome = await suite.write((trx) => subscribe(trx, input, suite.secretBox));
  if (outcome.kind !== 'subscribed') throw new Error(outcome.kind);
  return { ...browser, publicKey, id: outcome.subscription.id };
}

const untilSettled = (accountId: string, deliveryId: string) =>
  eventually(async () => {
    const { delivery } = await dispatching.suite.read(accountId, deliveryId);
    return delivery.status === 'pending' ? undefined : delivery;
  });

describe('a notice to a browser', () => {
  it.each<[NoticeType, string, string]>([
    ['approval.created', 'Approval needed: deploy_service', '/approvals/'],
    ['budget.threshold', 'Budget: 80.24% used', '/budgets'],
    ['budget.exceeded', 'Budget used up: ', '/budgets'],
    ['policy.denied', 'Call denied: delete_database', '/executions/'],
  ])('about %s is encrypted for it and signed for its push service (NTC-9)', async (type, title, path) => {
    const { suite, receiver } = dispatching;
    receiver.respondWith((_request, response) => void response.writeHead(201).end());
    await suite.startDispatcher(PLAYED);
    const person = await addPerson('owner');
    const browser = await addBrowser(person);
    await suite.emitChanged(person.accountId, type as 'approval.created', {});
    const [request] = await receiver.waitForRequests(1);
    const message = browser.read(request!);
    expect(message.title).toContain(title);
    expect(message.path).toContain(path);
    expect(request!.headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '86400' });
    const claims = verifyVapid(request!, browser.publicKey);
    expect(claims).toMatchObject({ aud: receiver.url, sub: SITE });
    expect(claims.exp * 1000).toBeLessThanOrEqual(Date.now() + 24 * 3_600_000);
    expect(request!.body.includes('deploy')).toBe(false);
  });

  it('is not sent about what its person may not read (NTC-10)', async () => {
    const { suite, receiver } = dispatching;
    await suite.startDispatcher(PLAYED);
    const person = await addPerson('tracker_manager');
    await addBrowser(person, ['approval.created', 'budget.threshold']);
    const deliveries = [
      ...(await suite.emitChanged(person.accountId, 'approval.created', {})),
      ...(await suite.emitChanged(person.accountId, 'budget.threshold', {})),
    ];
    for (const id of deliveries) await untilSettled(person.accountId, id);
    const errors = await Promise.all(
      deliveries.map(async (id) => (await suite.read(person.accountId, id)).attempts[0]?.error),
    );
    expect(errors).toEqual(['not sent: the person lacks view_approvals', 'not sent: the person lacks view_cost']);
    expect(receiver.requests).toHaveLength(0);
  });

  it('is sent to nobody after a role was taken, between the event and its delivery (NTC-10)', async () => {
    const { suite, receiver } = dispatching;
    const person = await addPerson('owner');
    await addBrowser(person, ['approval.created']);
    const [id] = await suite.emitChanged(person.accountId, 'approval.created', {});
    await suite.query(
      `update gateway.user_account set role_id =
         (select id from gateway.role where account_id is null and name = 'tracker_manager') where id = $1`,
      [person.userId],
    );
    await suite.startDispatcher(PLAYED);
    await untilSettled(person.accountId, id!);
    expect(receiver.requests).toHaveLength(0);
  });
});

describe('the address of a push service', () => {
  const attemptOnce = async (environment: Record<string, string>) => {
    const { suite } = dispatching;
    await suite.startDispatcher(environment);
    const person = await addPerson('owner');
    await addBrowser(person, ['approval.created']);
    const [id] = await suite.emitChanged(person.accountId, 'approval.created', {});
    return eventually(async () => (await suite.read(person.accountId, id!)).attempts[0]);
  };

  it.each([{}, { WEBHOOK_ALLOWED_PRIVATE_CIDRS: '127.0.0.0/8' }])(
    'is public, whatever is allowed for endpoints: %j (NTC-14)',
    async (environment) => {
      expect(await attemptOnce(environment)).toMatchObject({ errorClass: 'target_blocked', remoteAddress: null });
      expect(dispatching.receiver.requests).toHaveLength(0);
    },
  );

  it('is not left for another one by a redirect (NTC-14)', async () => {
    const { receiver } = dispatching;
    receiver.respondWith((_request, response) => void response.writeHead(307, { location: '/elsewhere' }).end());
    expect(await attemptOnce(PLAYED)).toMatchObject({ responseStatus: 307 });
    expect(receiver.requests.map(({ path }) => path)).not.toContain('/elsewhere');
  });
});

describe('a subscription', () => {
  it.each([404, 410])('ends when its push service answers %i (NTC-11)', async (status) => {
    const { suite, receiver } = dispatching;
    receiver.respondWith((_request, response) => void response.writeHead(status).end());
    await suite.startDispatcher(PLAYED);
    const person = await addPerson('owner');
    await addBrowser(person);
    const [id] = await suite.emitChanged(person.accountId, 'approval.created', {});
    expect((await untilSettled(person.accountId, id!)).status).toBe('cancelled');
    expect(await listSubscriptions(suite.db, person.userId)).toEqual([]);
    expect(receiver.requests).toHaveLength(1);
  });

  it.each<[string, (person: Person) => readonly [string, readonly string[]]]>([
    ['its login ends', ({ loginId }) => ['delete from gateway.login where id = $1', [loginId]]],
    [
      'its person is deactivated',
      ({ userId }) => ['update gateway.user_account set is_active = false where id = $1', [userId]],
    ],
    [
      'its push service has failed for hours',
      ({ accountId }) => [
        `update webhooks.endpoint set consecutive_failures = 20 where account_id = $1 and source = 'push_subscription'`,
        [accountId],
      ],
    ],
  ])('ends when %s, with its keys (NTC-11)', async (_name, end) => {
    const { suite, receiver } = dispatching;
    await suite.startDispatcher(PLAYED);
    const person = await addPerson('owner');
    const { id } = await addBrowser(person);
    const [text, values] = end(person);
    await suite.query(text, values);
    await eventually(async () => {
      const { rows } = await suite.query(
        `select from webhooks.endpoint_secret where endpoint_id = $1
         union all select from webhooks.push_subscription where endpoint_id = $1`,
        [id],
      );
      return rows.length === 0;
    });
    expect(receiver.requests).toHaveLength(0);
  });

  it('replaces the former one of the same browser, and a person has at most ten (LIM-109)', async () => {
    const { suite, receiver } = dispatching;
    const person = await addPerson('owner');
    const add = async (path: string) => {
      const { keys } = playBrowser();
      const input = { ...person, url: `${receiver.url}${path}`, keys, notices: NOTICE_TYPES, description: path };
      return (await suite.write((trx) => subscribe(trx, input, suite.secretBox))).kind;
    };
    await add('/same');
    await add('/same');
    expect(await listSubscriptions(suite.db, person.userId)).toHaveLength(1);
    const kinds = [];
    for (let index = 0; index < 10; index += 1) kinds.push(await add(`/${index}`));
    expect(kinds).toEqual([...Array.from({ length: 9 }, () => 'subscribed'), 'limit_reached']);
    expect(await add('/same')).toBe('subscribed');
  });
});

describe('the key of a deployment', () => {
  it('is made once, also if several processes start at once, and stored sealed (NTC-8)', async () => {
    const { suite } = dispatching;
    const keys = await Promise.all([1, 2, 3].map(() => ensurePushKey(suite.db, suite.secretBox)));
    expect(new Set(keys).size).toBe(1);
    expect(Buffer.from(keys[0]!, 'base64url')).toHaveLength(65);
    const { rows } = await suite.query('select private_sealed from webhooks.push_key', []);
    const sealed = (rows as { private_sealed: Buffer }[])[0]!.private_sealed;
    const opened = suite.secretBox.open(sealed, 'push key');
    expect(Buffer.from(opened, 'base64url')).toHaveLength(32);
    expect(sealed.includes(Buffer.from(opened, 'base64url'))).toBe(false);
  });
});
