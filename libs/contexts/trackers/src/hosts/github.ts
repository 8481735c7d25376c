import { buildPath, listTexts, readFields, readList, readText, type Fields } from './read-answer.ts';
import type { Issue, IssueSearch, TrackerAccess, TrackerHost } from './tracker-host.ts';

const PAGE = 100;
const MAX_COMMENTS = 20;

/** Client of GitHub and GitHub Enterprise Server, for version 2022-11-28 of the REST API. */
export const github: TrackerHost = {
  title: 'GitHub',
  // Neither part may be `.` or `..`, because the request would then have a different path.
  repository: { pattern: /^(?!\.{1,2}\/)[\w.-]{1,100}\/(?!\.{1,2}$)[\w.-]{1,100}$/, words: 'owner/repository' },
  baseUrl: 'https://api.github.com',
  findApiPath: ({ hostname, pathname }) => (hostname === 'api.github.com' || pathname !== '/' ? '' : '/api/v3'),
  buildAuthorization: (token) => ({
    authorization: `Bearer ${token}`,
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
  }),
  // GitHub itself rejects unknown names; an event's action is not part of a subscription.
  planEvents: (types) =>
    types.length === 0 ? ['*'] : [...new Set(types.map((type) => type.replace(/\..*$/, '').toLowerCase()))],
  async describeToken({ ask }, repository) {
    const { body, headers } = await ask({ method: 'GET', path: '/user' });
    const scopes = headers.get('x-oauth-scopes');
    return {
      login: readText(body, 'login') ?? '',
      name: readText(body, 'name'),
      scopes: scopes === null ? null : scopes.split(',').flatMap((scope) => scope.trim() || []),
      expiresAt: headers.get('github-authentication-token-expiration'),
      repository: repository === undefined ? null : await readPermissions(ask, repository),
    };
  },
  async saveHook({ ask }, { repository, hookId, url, urlPrefix, secret, events }) {
    const hooks = `${repositoryPath(repository)}/hooks`;
    const [known] = hookId === null ? await listOwnHooks(ask, repository, urlPrefix) : [hookId];
    const config = { url, content_type: 'json', insecure_ssl: '0', secret };
    const { body } = await ask(
      known === undefined
        ? { method: 'POST', path: hooks, body: { name: 'web', active: true, events, config } }
        : { method: 'PATCH', path: hooks + buildPath(known), body: { active: true, events, config } },
    );
    return readText(body, 'id') ?? '';
  },
  async removeHook({ ask }, { repository, hookId, urlPrefix }) {
    const ids = hookId === null ? await listOwnHooks(ask, repository, urlPrefix) : [hookId];
    for (const id of ids) await ask({ method: 'DELETE', path: `${repositoryPath(repository)}/hooks${buildPath(id)}` });
  },
  async readIssue({ ask }, { repository, issue }) {
    const path = `${repositoryPath(repository)}/issues${buildPath(issue)}`;
    const { body } = await ask({ method: 'GET', path });
    const { body: comments } = await ask({
      method: 'GET',
      path: `${path}/comments`,
      query: { per_page: MAX_COMMENTS },
    });
    return {
      ...toIssue(readFields(body)),
      body: readText(body, 'body') ?? '',
      comments: readList(comments).map((comment) => ({
        author: readText(comment, 'user', 'login'),
        body: readText(comment, 'body') ?? '',
        created_at: readText(comment, 'created_at'),
      })),
      has_more_comments: Number(readText(body, 'comments') ?? 0) > MAX_COMMENTS,
    };
  },
  async listIssues({ ask }, search) {
    if (search.query !== undefined) return searchIssues(ask, search);
    const { repository, state, labels, limit } = search;
    const query = { state, labels: labels.join(',') || undefined, per_page: PAGE };
    const { body } = await ask({ method: 'GET', path: `${repositoryPath(repository)}/issues`, query });
    // GitHub's list of issues includes pull requests.
    const issues = readList(body).filter((issue) => issue['pull_request'] === undefined);
    return issues.slice(0, limit).map(toIssue);
  },
  async comment({ ask }, { repository, issue }, text) {
    const path = `${repositoryPath(repository)}/issues${buildPath(issue)}/comments`;
    return toWritten((await ask({ method: 'POST', path, body: { body: text } })).body);
  },
  async changeLabel({ ask }, { repository, issue }, { label, isAdded }) {
    const path = `${repositoryPath(repository)}/issues${buildPath(issue)}/labels`;
    await ask(
      isAdded
        ? { method: 'POST', path, body: { labels: [label] } }
        : { method: 'DELETE', path: path + buildPath(label) },
    );
  },
  async openIssue({ ask }, { repository, title, body, labels }) {
    const path = `${repositoryPath(repository)}/issues`;
    const answer = await ask({ method: 'POST', path, body: { title, body, labels } });
    const { url } = toWritten(answer.body);
    return { id: readText(answer.body, 'number') ?? '', url };
  },
  async readChange({ ask }, { repository, issue }) {
    const path = `${repositoryPath(repository)}/pulls${buildPath(issue)}`;
    const { body } = await ask({ method: 'GET', path });
    const files = await ask({ method: 'GET', path: `${path}/files`, query: { per_page: PAGE } });
    const shown = readList(files.body).map((file) => ({
      path: readText(file, 'filename') ?? '',
      status: readText(file, 'status') ?? '',
      patch: readText(file, 'patch'),
    }));
    return {
      ...toIssue(readFields(body)),
      body: readText(body, 'body') ?? '',
      source_branch: readText(body, 'head', 'ref') ?? '',
      target_branch: readText(body, 'base', 'ref') ?? '',
      head_sha: readText(body, 'head', 'sha') ?? '',
      is_draft: readFields(body)['draft'] === true,
      files: shown,
      has_more_files: Number(readText(body, 'changed_files') ?? 0) > shown.length,
    };
  },
  async setStatus({ ask }, { repository, sha, state, context, description, targetUrl }) {
    const path = `${repositoryPath(repository)}/statuses${buildPath(sha)}`;
    const body = { state, context, description, target_url: targetUrl };
    const answer = await ask({ method: 'POST', path, body });
    return { id: readText(answer.body, 'id') ?? '', url: targetUrl ?? null };
  },
};

function repositoryPath(repository: string): string {
  return `/repos${buildPath(...repository.split('/'))}`;
}

async function readPermissions(ask: TrackerAccess['ask'], repository: string) {
  const { body } = await ask({ method: 'GET', path: repositoryPath(repository) });
  const permissions = readFields(readFields(body)['permissions']);
  return {
    mayRead: true,
    mayWrite: permissions['push'] === true,
    mayManageHooks: permissions['admin'] === true,
  };
}

/** Returns the ids of the registered hooks of one flow. */
async function listOwnHooks(ask: TrackerAccess['ask'], repository: string, urlPrefix: string): Promise<string[]> {
  const query = { per_page: PAGE };
  const { body } = await ask({ method: 'GET', path: `${repositoryPath(repository)}/hooks`, query });
  return readList(body)
    .filter((hook) => readText(hook, 'config', 'url')?.startsWith(urlPrefix) === true)
    .flatMap((hook) => readText(hook, 'id') ?? []);
}

/**
 * Searches issues. The words of a query cannot select another repository: qualifiers are quoted, and results from other
 * repositories are removed.
 */
async function searchIssues(
  ask: TrackerAccess['ask'],
  { repository, query = '', state, labels, limit }: IssueSearch,
): Promise<readonly Issue[]> {
  const quote = (text: string): string => `"${text.replaceAll('"', '')}"`;
  const words = query.split(/\s+/).map((word) => (/^[\p{L}\p{N}_-]+$/u.test(word) ? word.toLowerCase() : quote(word)));
  const terms = [
    `repo:${repository}`,
    'is:issue',
    ...(state === 'all' ? [] : [`state:${state}`]),
    ...labels.map((label) => `label:${quote(label)}`),
    ...words,
  ];
  const { body } = await ask({ method: 'GET', path: '/search/issues', query: { q: terms.join(' '), per_page: limit } });
  const ending = `/repos/${repository}`.toLowerCase();
  return readList(readFields(body)['items'])
    .filter((issue) => readText(issue, 'repository_url')?.toLowerCase().endsWith(ending) === true)
    .map(toIssue);
}

function toIssue(issue: Fields): Issue {
  return {
    issue: readText(issue, 'number') ?? '',
    title: readText(issue, 'title') ?? '',
    state: issue['merged'] === true ? 'merged' : (readText(issue, 'state') ?? ''),
    url: readText(issue, 'html_url'),
    author: readText(issue, 'user', 'login'),
    assignees: listTexts(issue['assignees'], 'login'),
    labels: listTexts(issue['labels'], 'name'),
    created_at: readText(issue, 'created_at'),
    updated_at: readText(issue, 'updated_at'),
  };
}

function toWritten(body: unknown) {
  return { id: readText(body, 'id') ?? '', url: readText(body, 'html_url') };
}
