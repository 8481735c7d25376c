import { matchPath, type PlayTracker } from './play-tracker.ts';

const PROJECT = '/api/v4/projects/acme%2Fshop';
const AUTHOR = { id: 1, username: 'octo-bot', name: 'Octo Bot', state: 'active' };
const ISSUE = {
  id: 76,
  iid: 42,
  project_id: 8,
  title: 'Checkout fails for empty carts',
  description: 'Steps: open the cart, press pay.',
  state: 'opened',
  author: AUTHOR,
  assignees: [{ username: 'dana' }],
  labels: ['bug'],
  web_url: 'https://gitlab.com/acme/shop/-/issues/42',
  created_at: '2026-11-01T13:33:48.000Z',
  updated_at: '2026-11-02T13:33:48.000Z',
};
const MERGE_REQUEST = {
  ...ISSUE,
  iid: 7,
  title: 'Fix empty carts',
  source_branch: 'fix-carts',
  target_branch: 'main',
  sha: '6dcb09b5b57875f334f61aebed695e2e4193db5e',
  draft: false,
  web_url: 'https://gitlab.com/acme/shop/-/merge_requests/7',
};

/** Imitates the REST API of GitLab, v4. */
export const gitlabAnswers: PlayTracker = ({ method, path, body, hooks }) => {
  const route = `${method} ${path}`;
  const is = (pattern: string) => matchPath(route, pattern);
  if (is('GET /api/v4/user')) return { status: 200, body: AUTHOR };
  if (is('GET /api/v4/personal_access_tokens/self'))
    return { status: 200, body: { id: 4, name: 'steward', scopes: ['api'], active: true, expires_at: '2027-01-01' } };
  if (is(`GET ${PROJECT}`)) {
    const permissions = { project_access: { access_level: 40 }, group_access: null };
    return { status: 200, body: { id: 8, path_with_namespace: 'acme/shop', permissions } };
  }
  if (is(`GET /api/v4/projects/*/hooks`))
    return { status: 200, body: [...hooks.values()].map(({ id, url }) => ({ id: Number(id), url })) };
  const known = is('PUT /api/v4/projects/*/hooks/*')?.[1];
  if (known !== undefined || is('POST /api/v4/projects/*/hooks')) {
    if (known !== undefined && !hooks.has(known)) return { status: 404, body: { message: '404 Not found' } };
    const id = known ?? String(1000 + hooks.size);
    hooks.set(id, { id, url: String(body['url']), secret: String(body['token']), sent: body });
    return { status: known === undefined ? 201 : 200, body: { id: Number(id), url: body['url'], project_id: 8 } };
  }
  const removed = is('DELETE /api/v4/projects/*/hooks/*')?.[1];
  if (removed !== undefined) return { status: hooks.delete(removed) ? 204 : 404 };
  if (is(`GET ${PROJECT}/issues`)) return { status: 200, body: [ISSUE] };
  if (is(`GET ${PROJECT}/issues/42`)) return { status: 200, body: ISSUE };
  if (is(`GET ${PROJECT}/issues/42/notes`)) {
    const notes = [
      { id: 1, body: 'assigned to @dana', system: true, author: AUTHOR, created_at: '2026-11-01T13:40:00.000Z' },
      {
        id: 2,
        body: 'Seen here, too.',
        system: false,
        author: { username: 'dana' },
        created_at: '2026-11-01T14:00:00.000Z',
      },
    ];
    return { status: 200, body: notes };
  }
  if (is(`POST ${PROJECT}/issues/42/notes`) || is(`POST ${PROJECT}/merge_requests/7/notes`))
    return { status: 201, body: { id: 99, body: body['body'], author: AUTHOR } };
  if (is(`PUT ${PROJECT}/issues/42`)) return { status: 200, body: ISSUE };
  if (is(`POST ${PROJECT}/issues`))
    return { status: 201, body: { ...ISSUE, iid: 43, web_url: 'https://gitlab.com/acme/shop/-/issues/43' } };
  if (is(`GET ${PROJECT}/merge_requests/7`)) return { status: 200, body: MERGE_REQUEST };
  if (is(`GET ${PROJECT}/merge_requests/7/diffs`))
    return {
      status: 200,
      body: [{ old_path: 'src/cart.ts', new_path: 'src/cart.ts', new_file: false, diff: '@@ -1 +1 @@' }],
    };
  if (is(`POST ${PROJECT}/statuses/*`))
    return { status: 201, body: { id: 5, status: body['state'], name: body['name'] } };
  return undefined;
};
