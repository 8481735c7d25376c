import { did, useAudit, type AuditedTable } from '../../../testing/audit-tests.ts';

const PASSWORD = 'a long enough password';
const SESSION = '/api/v1/auth/session';
const OWN_PAGE = { 'sec-fetch-site': 'same-origin' };
const audit = useAudit();
const { ask, call } = audit;

let counter = 0;
const names = () => {
  counter += 1;
  return { username: `audited-${counter}`, email: `a${counter}@example.test` };
};
const anonymous = (path: string, body: object) => ['POST', `/api/v1/auth${path}`, { body }] as const;
const login = async (username: string, password: string) =>
  (await audit.gateway().call('POST', '/api/v1/auth/token/json', { body: { username, password } })).body;
/** Logs the owner in another time. */
const loginAgain = () => login(audit.owner().username, audit.owner().password);
/** Adds a user to the account, and logs the user in once. */
const addMember = async () => {
  const { id, username } = await call('POST', '/users', { ...names(), password: PASSWORD, role: 'viewer' });
  const tokens = await login(username, PASSWORD);
  return { id: id as string, username: username as string, token: tokens.access_token as string };
};
/** Adds a user to the account, and logs the user in with a browser. */
const signIn = async () => {
  const { id, username } = await addMember();
  const body = { username, password: PASSWORD };
  const { headers } = await audit.gateway().call('POST', SESSION, { headers: OWN_PAGE, body });
  return { id, cookie: headers.getSetCookie()[0]?.split(';')[0] ?? '' };
};
const invite = () => call('POST', '/users', { ...names(), role: 'viewer' });

/** Audit entries of people and their credentials (ACC-33, ACC-12). */
const TABLE: AuditedTable = [
  [
    'an account is registered',
    async () => ({
      request: anonymous('/register', { ...names(), password: PASSWORD }),
      answers: 201,
      row: ({ id, account_id }) => ({ ...did('register', 'account', account_id), account_id, actor: ['user', id] }),
    }),
  ],
  ...[
    ['/token', (body: Record<string, string>) => ({ body: new URLSearchParams(body).toString() })] as const,
    ['/token/json', (body: Record<string, string>) => ({ body })] as const,
  ].flatMap(([path, options]): AuditedTable => {
    const headers = path === '/token' ? { 'content-type': 'application/x-www-form-urlencoded' } : {};
    const request = (password?: string) => {
      const { username, password: right } = audit.owner();
      return [
        'POST',
        `/api/v1/auth${path}`,
        { ...options({ username, password: password ?? right }), headers },
      ] as const;
    };
    const row = () => did('login', 'user', audit.owner().userId);
    return [
      [`somebody logs in at ${path}`, async () => ({ request: request(), answers: 200, row, unlogged: 500 })],
      [
        `somebody fails to log in at ${path}`,
        async () => ({
          request: request('wrong'),
          answers: 401,
          row: () => ({ ...row(), actor: ['anonymous', null], status: 'failure' }),
          unlogged: 500,
        }),
      ],
    ];
  }),
  [
    'a refresh token is sent twice',
    async () => {
      const { refresh_token } = await loginAgain();
      await audit.gateway().call(...anonymous('/refresh', { refresh_token }));
      return {
        request: anonymous('/refresh', { refresh_token }),
        answers: 401,
        row: () => ({
          ...did('reuse_refresh_token', 'user', audit.owner().userId),
          actor: ['anonymous', null],
          status: 'denied',
        }),
      };
    },
  ],
  [
    'a browser logs in',
    async () => {
      const { id, username } = await addMember();
      return {
        request: ['POST', SESSION, { headers: OWN_PAGE, body: { username, password: PASSWORD } }],
        answers: 200,
        row: () => ({ ...did('login', 'user', id), actor: ['user', id] }),
        unlogged: 500,
      };
    },
  ],
  [
    'the cookie of a browser is sent long after its exchange',
    async () => {
      const { id, cookie } = await signIn();
      const headers = { ...OWN_PAGE, cookie };
      await audit.gateway().call('POST', `${SESSION}/refresh`, { headers, body: {} });
      await audit.admin().query(`update gateway.refresh_token set used_at = used_at - interval '1 hour'`);
      return {
        request: ['POST', `${SESSION}/refresh`, { headers, body: {} }],
        answers: 401,
        row: () => ({ ...did('reuse_refresh_token', 'user', id), actor: ['anonymous', null], status: 'denied' }),
      };
    },
  ],
  [
    'a browser logs out',
    async () => {
      const { id, cookie } = await signIn();
      return {
        request: ['DELETE', SESSION, { headers: { ...OWN_PAGE, cookie } }],
        answers: 204,
        row: () => ({ ...did('logout', 'user', id), actor: ['user', id] }),
      };
    },
  ],
  [
    'somebody logs out',
    async () => ({
      request: ['POST', '/api/v1/auth/logout', { token: (await loginAgain()).access_token }],
      answers: 204,
      row: () => did('logout', 'user', audit.owner().userId),
    }),
  ],
  [
    'somebody logs out everywhere',
    async () => {
      const { id, token } = await addMember();
      return {
        request: ['POST', '/api/v1/auth/sessions/revoke-all', { token }],
        answers: 204,
        row: () => ({ ...did('revoke_sessions', 'user', id, { ended: 1 }), actor: ['user', id] }),
      };
    },
  ],
  [
    'an invitation is accepted',
    async () => {
      const { id, invitation } = await invite();
      return {
        request: anonymous('/invitations/accept', { token: invitation.token, password: PASSWORD }),
        answers: 200,
        row: () => ({ ...did('accept_invitation', 'user', id), actor: ['user', id] }),
      };
    },
  ],
  ...(
    [
      ['a password is changed', PASSWORD, 204, 'success'],
      ['a password change is requested with a wrong password', 'wrong', 422, 'failure'],
    ] as const
  ).map(([what, current_password, answers, status]): AuditedTable[number] => [
    what,
    async () => {
      const { id, token } = await addMember();
      const body = { current_password, new_password: 'another long password' };
      return {
        request: ['PUT', '/api/v1/users/me/password', { token, body }],
        answers,
        row: () => ({ ...did('change_password', 'user', id), actor: ['user', id], status }),
        ...(status === 'failure' ? { unlogged: 500 } : {}),
      };
    },
  ]),
  [
    'a user is created',
    async () => ({
      request: ask('POST', '/users', { ...names(), password: PASSWORD, role: 'viewer' }),
      answers: 201,
      row: ({ id }) => did('create', 'user', id, { role: 'viewer' }),
    }),
  ],
  [
    'a user is created by invitation',
    async () => ({
      request: ask('POST', '/users', { ...names(), role: 'viewer' }),
      answers: 201,
      row: ({ id, invitation }) => did('create', 'user', id, { role: 'viewer', invited_until: invitation.expires_at }),
    }),
  ],
  [
    'a user is invited again',
    async () => {
      const { id } = await invite();
      return {
        request: ask('POST', `/users/${id}/invitation`),
        answers: 201,
        row: ({ invitation }) => did('invite', 'user', id, { expires_at: invitation.expires_at }),
      };
    },
  ],
  [
    'a user is changed',
    async () => {
      const { id } = await addMember();
      return {
        request: ask('PATCH', `/users/${id}`, { is_active: false }),
        answers: 200,
        row: () => did('update', 'user', id, { is_active: false, revoked_api_keys: 0 }),
      };
    },
  ],
  [
    'somebody ends one of their logins',
    async () => {
      await loginAgain();
      const { items } = await call('GET', '/auth/sessions');
      const { id } = (items as { id: string; current: boolean }[]).find(({ current }) => !current) ?? { id: '' };
      const userId = audit.owner().userId;
      return {
        request: ask('DELETE', `/auth/sessions/${id}`),
        answers: 204,
        row: () => did('revoke_sessions', 'user', userId, { ended: 1 }),
      };
    },
  ],
];

audit.describeTable('people', TABLE);

describe('the audit log records nothing', () => {
  it('for names that do not exist, and for unknown refresh tokens', async () => {
    await audit.expectNoRow({
      request: anonymous('/token/json', { username: 'nobody', password: PASSWORD }),
      answers: 401,
    });
    await audit.expectNoRow({ request: anonymous('/refresh', { refresh_token: 'stw_rt_x' }), answers: 401 });
  });
});
