import { matchPath, type PlayTracker } from './play-tracker.ts';

const document = (text: string) => ({
  type: 'doc',
  version: 1,
  content: [{ type: 'paragraph', content: [{ type: 'text', text }] }],
});
const issueAt = (origin: string) => ({
  id: '10002',
  key: 'OPS-42',
  self: `${origin}/rest/api/3/issue/10002`,
  fields: {
    summary: 'Checkout fails for empty carts',
    description: document('Steps: open the cart, press pay.'),
    status: { name: 'To Do', statusCategory: { key: 'new' } },
    reporter: { accountId: '5b10', displayName: 'Octo Bot' },
    assignee: { accountId: '5b11', displayName: 'Dana' },
    labels: ['bug'],
    created: '2026-11-01T13:33:48.000+0000',
    updated: '2026-11-02T13:33:48.000+0000',
    comment: {
      total: 1,
      comments: [
        {
          id: '1',
          author: { displayName: 'Dana' },
          body: document('Seen here, too.'),
          created: '2026-11-01T14:00:00.000+0000',
        },
      ],
    },
  },
});

/** Imitates the REST API of Jira Cloud, v3, and the webhooks of its administrators. */
export const jiraAnswers: PlayTracker = ({ method, path, body, hooks, origin }) => {
  const route = `${method} ${path}`;
  const is = (pattern: string) => matchPath(route, pattern);
  const issue = issueAt(origin);
  if (is('GET /rest/api/3/myself'))
    return { status: 200, body: { accountId: '5b10', emailAddress: 'bot@acme.test', displayName: 'Octo Bot' } };
  if (is('GET /rest/api/3/mypermissions')) {
    const names = ['BROWSE_PROJECTS', 'ADD_COMMENTS', 'CREATE_ISSUES', 'EDIT_ISSUES', 'ADMINISTER'];
    const permissions = Object.fromEntries(names.map((name) => [name, { key: name, havePermission: true }]));
    return { status: 200, body: { permissions } };
  }
  const selfOf = (id: string) => `${origin}/rest/webhooks/1.0/webhook/${id}`;
  if (is('GET /rest/webhooks/1.0/webhook'))
    return { status: 200, body: [...hooks.values()].map(({ id, url }) => ({ self: selfOf(id), url, enabled: true })) };
  const known = is('PUT /rest/webhooks/1.0/webhook/*')?.[0];
  if (known !== undefined || is('POST /rest/webhooks/1.0/webhook')) {
    if (known !== undefined && !hooks.has(known))
      return { status: 404, body: { errorMessages: ['There is no such webhook.'] } };
    const id = known ?? String(72 + hooks.size);
    hooks.set(id, { id, url: String(body['url']), secret: String(body['secret']), sent: body });
    return { status: known === undefined ? 201 : 200, body: { self: selfOf(id), url: body['url'], enabled: true } };
  }
  const removed = is('DELETE /rest/webhooks/1.0/webhook/*')?.[0];
  if (removed !== undefined) return { status: hooks.delete(removed) ? 204 : 404 };
  if (is('GET /rest/api/3/issue/OPS-42')) return { status: 200, body: issue };
  if (is('POST /rest/api/3/search/jql')) return { status: 200, body: { issues: [issue], isLast: true } };
  if (is('POST /rest/api/3/issue/OPS-42/comment')) return { status: 201, body: { id: '99', body: body['body'] } };
  if (is('PUT /rest/api/3/issue/OPS-42')) return { status: 204 };
  if (is('POST /rest/api/3/issue'))
    return { status: 201, body: { id: '10003', key: 'OPS-43', self: `${origin}/rest/api/3/issue/10003` } };
  return undefined;
};
