import { matchPath, type PlayTracker } from './play-tracker.ts';

const USER = { login: 'octo-bot', id: 583231, type: 'User', name: 'Octo Bot' };
const ISSUE = {
  id: 1347,
  number: 42,
  repository_url: 'https://api.github.com/repos/acme/shop',
  html_url: 'https://github.com/acme/shop/issues/42',
  state: 'open',
  title: 'Checkout fails for empty carts',
  body: 'Steps: open the cart, press pay.',
  user: USER,
  labels: [{ id: 208045946, name: 'bug', color: 'f29513' }],
  assignees: [{ login: 'dana' }],
  comments: 1,
  created_at: '2026-11-01T13:33:48Z',
  updated_at: '2026-11-02T13:33:48Z',
};
const PULL = {
  id: 1,
  number: 7,
  state: 'open',
  title: 'Fix empty carts',
  body: 'Closes #42',
  html_url: 'https://github.com/acme/shop/pull/7',
  user: USER,
  labels: [],
  assignees: [],
  draft: false,
  merged: false,
  head: { ref: 'fix-carts', sha: '6dcb09b5b57875f334f61aebed695e2e4193db5e' },
  base: { ref: 'main', sha: 'aaaa09b5b57875f334f61aebed695e2e4193db5e' },
  changed_files: 1,
  created_at: '2026-11-03T13:33:48Z',
  updated_at: '2026-11-03T13:33:48Z',
};

/** Imitates the REST API of GitHub, version 2022-11-28. */
export const githubAnswers: PlayTracker = ({ method, path, query, body, hooks }) => {
  const route = `${method} ${path.replace(/^\/api\/v3/, '')}`;
  const is = (pattern: string) => matchPath(route, pattern);
  if (is('GET /user')) {
    const headers = {
      'x-oauth-scopes': 'repo, admin:repo_hook',
      'github-authentication-token-expiration': '2027-01-01 00:00:00 UTC',
    };
    return { status: 200, body: USER, headers };
  }
  if (is('GET /repos/acme/shop'))
    return { status: 200, body: { full_name: 'acme/shop', permissions: { admin: true, push: true, pull: true } } };
  if (is('GET /repos/acme/*/hooks')) {
    const kept = [...hooks.values()].map(({ id, url }) => ({ id: Number(id), type: 'Repository', config: { url } }));
    return { status: 200, body: kept };
  }
  const sentConfig = body['config'] as { url: string; secret: string } | undefined;
  const known = is('PATCH /repos/acme/*/hooks/*')?.[1];
  if (sentConfig !== undefined && (known !== undefined || is('POST /repos/acme/*/hooks'))) {
    if (known !== undefined && !hooks.has(known)) return { status: 404, body: { message: 'Not Found' } };
    const id = known ?? String(1000 + hooks.size);
    hooks.set(id, { id, url: sentConfig.url, secret: sentConfig.secret, sent: body });
    const config = { ...sentConfig, secret: '********' };
    return { status: known === undefined ? 201 : 200, body: { id: Number(id), name: 'web', active: true, config } };
  }
  const removed = is('DELETE /repos/acme/*/hooks/*')?.[1];
  if (removed !== undefined) return { status: hooks.delete(removed) ? 204 : 404 };
  if (is('GET /repos/acme/shop/issues/42')) return { status: 200, body: ISSUE };
  if (is('GET /repos/acme/shop/issues/42/comments'))
    return {
      status: 200,
      body: [{ id: 1, user: { login: 'dana' }, body: 'Seen here, too.', created_at: '2026-11-01T14:00:00Z' }],
    };
  if (is('GET /repos/acme/shop/issues'))
    return {
      status: 200,
      body: [ISSUE, { ...PULL, pull_request: { url: 'https://api.github.com/repos/acme/shop/pulls/7' } }],
    };
  if (is('GET /search/issues')) {
    const elsewhere = { ...ISSUE, number: 1, repository_url: 'https://api.github.com/repos/acme/secret' };
    return {
      status: 200,
      body: { total_count: 2, items: query.get('q')?.includes('repo:') === true ? [ISSUE, elsewhere] : [] },
    };
  }
  if (is('POST /repos/acme/shop/issues/42/comments'))
    return { status: 201, body: { id: 99, html_url: 'https://github.com/acme/shop/issues/42#issuecomment-99' } };
  if (is('POST /repos/acme/shop/issues/42/labels')) return { status: 200, body: [{ name: 'triage' }] };
  if (is('DELETE /repos/acme/shop/issues/42/labels/*')) return { status: 200, body: [] };
  if (is('POST /repos/acme/shop/issues'))
    return { status: 201, body: { ...ISSUE, number: 43, html_url: 'https://github.com/acme/shop/issues/43' } };
  if (is('GET /repos/acme/shop/pulls/7')) return { status: 200, body: PULL };
  if (is('GET /repos/acme/shop/pulls/7/files'))
    return {
      status: 200,
      body: [{ filename: 'src/cart.ts', status: 'modified', additions: 2, deletions: 1, patch: '@@ -1 +1 @@' }],
    };
  if (is('POST /repos/acme/shop/statuses/*'))
    return { status: 201, body: { id: 5, state: body['state'], context: body['context'] } };
  return undefined;
};
