import { startTestGateway, type TestGateway } from '../../../../testing/start-gateway.ts';

/** Value of a budget; small, because a busy machine would not use up a larger budget before it refills. */
const FEW = '2';

let counter = 0;
const person = (fields: object = {}) => {
  counter += 1;
  return {
    username: `visitor-${counter}`,
    email: `v${counter}@example.test`,
    password: 'a long enough password',
    ...fields,
  };
};

describe('registration', () => {
  let gateway: TestGateway | undefined;
  afterEach(async () => {
    await gateway?.close();
    gateway = undefined;
  });
  const start = async (environment: Record<string, string>): Promise<TestGateway> => {
    gateway = await startTestGateway(environment);
    return gateway;
  };
  const register = (to: Pick<TestGateway, 'call'>, fields: object = {}, headers: Record<string, string> = {}) =>
    to.call('POST', '/api/v1/auth/register', { body: person(fields), headers });

  it('creates only the first account of a deployment, under simultaneous requests (ACC-1)', async () => {
    // An empty variable counts as not set, so the default applies.
    const { call, startTwin } = await start({ REGISTRATION_ENABLED: '' });
    const twin = await startTwin();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => register(index % 2 === 0 ? { call } : twin)),
    );
    await twin.close();
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, ...Array.from({ length: 7 }, () => 403)]);
    const late = await register({ call });
    expect([late.status, late.body.detail.code]).toEqual([403, 'registration_closed']);
  });

  it('remains open for the first account after a refused attempt', async () => {
    const { call } = await start({ REGISTRATION_ENABLED: 'first' });
    expect((await register({ call }, { password: 'password' })).status).toBe(422);
    expect((await register({ call })).status).toBe(201);
  });

  it('is refused for everybody when it is disabled (ACC-1)', async () => {
    const { call } = await start({ REGISTRATION_ENABLED: 'false' });
    expect((await register({ call })).body.detail.code).toBe('registration_closed');
  });

  it('is limited per address, with a whole IPv6 network counted as one (LIM-22, LIM-36)', async () => {
    const { call } = await start({ REGISTRATION_RATE_PER_MINUTE: FEW, TRUSTED_PROXIES: '127.0.0.1' });
    const from = (address: string) => register({ call }, {}, { 'x-forwarded-for': address });
    const statuses: number[] = [];
    for (let host = 1; host <= 3; host += 1) statuses.push((await from(`2001:db8:1:1::${host}`)).status);
    expect(statuses).toEqual([201, 201, 429]);
    expect((await from('2001:db8:1:2::1')).status).toBe(201);
  });

  it('counts attempts with a taken name, so that nobody can discover existing names by trying (ACC-2)', async () => {
    const { call } = await start({ REGISTRATION_RATE_PER_MINUTE: FEW });
    const fields = { username: 'the-first-one' };
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 3; attempt += 1) statuses.push((await register({ call }, fields)).status);
    expect(statuses).toEqual([201, 409, 429]);
  });

  it('refuses weak passwords, naming the field and never the password (ACC-6)', async () => {
    const { call } = await start({});
    for (const fields of [
      { password: 'Password123' },
      { password: '12345678' },
      { password: '        ' },
      { password: 'zzzzzzzzz' },
      { username: 'Dana.Doe-77', password: 'dana.doe-77' },
      { email: 'longlocalpart@example.test', password: 'LongLocalPart' },
    ]) {
      const { status, body } = await register({ call }, fields);
      expect([status, body.detail.code, body.detail.field]).toEqual([422, 'weak_password', 'password']);
      expect(body.detail.message).not.toContain(fields.password);
    }
  });
});
