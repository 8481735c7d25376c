import { buildPath, listTexts, readFields, readList, readText, type Fields } from './read-answer.ts';
import { TrackerError } from './tracker-error.ts';
import type { Issue, IssuePlace, TrackerAccess, TrackerHost } from './tracker-host.ts';

const PAGE = 100;
const MAX_COMMENTS = 20;
/** Minimum access level that may register hooks. */
const MAINTAINER = 40;
const DEVELOPER = 30;

/** Maps the names of events in `event_types` to the hook parameters that enable the events. */
const EVENTS: Readonly<Record<string, string>> = {
  push: 'push_events',
  'push hook': 'push_events',
  tag_push: 'tag_push_events',
  'tag push hook': 'tag_push_events',
  issue: 'issues_events',
  'issue hook': 'issues_events',
  'confidential issue hook': 'confidential_issues_events',
  note: 'note_events',
  'note hook': 'note_events',
  'confidential note hook': 'confidential_note_events',
  merge_request: 'merge_requests_events',
  'merge request hook': 'merge_requests_events',
  wiki_page: 'wiki_page_events',
  'wiki page hook': 'wiki_page_events',
  pipeline: 'pipeline_events',
  'pipeline hook': 'pipeline_events',
  build: 'job_events',
  'job hook': 'job_events',
  deployment: 'deployment_events',
  'deployment hook': 'deployment_events',
  release: 'releases_events',
  'release hook': 'releases_events',
  emoji: 'emoji_events',
  'emoji hook': 'emoji_events',
};
const SWITCHES = [...new Set(Object.values(EVENTS))];
const USUAL = SWITCHES.filter((name) => !name.startsWith('confidential_'));

const STATES = { pending: 'pending', success: 'success', failure: 'failed', error: 'failed' } as const;

/** Client of GitLab.com and self-managed GitLab, for REST API v4. */
export const gitlab: TrackerHost = {
  title: 'GitLab',
  repository: {
    pattern: /^(\d{1,18}|(?!\.{1,2}\/)[\w.-]{1,255}(\/(?!\.{1,2}(\/|$))[\w.-]{1,255}){1,20})$/,
    words: 'group/project, or the number of a project',
  },
  baseUrl: 'https://gitlab.com',
  findApiPath: ({ pathname }) => (pathname.endsWith('/api/v4') ? '' : '/api/v4'),
  buildAuthorization: (token) => ({ 'private-token': token }),
  planEvents(types) {
    if (types.length === 0) return USUAL;
    const unknown = types.find((type) => findSwitch(type) === undefined);
    if (unknown !== undefined) return `GitLab has no webhook for "${unknown}".`;
    return [...new Set(types.flatMap((type) => findSwitch(type) ?? []))];
  },
  async describeToken({ ask }, repository) {
    const { body: user } = await ask({ method: 'GET', path: '/user' });
    // Some valid tokens are not allowed to read their own properties.
    const { body: token } = await ask({ method: 'GET', path: '/personal_access_tokens/self' }).catch(() => ({
      body: {},
    }));
    const scopes = readFields(token)['scopes'];
    return {
      login: readText(user, 'username') ?? '',
      name: readText(user, 'name'),
      scopes: Array.isArray(scopes) ? listTexts(scopes) : null,
      expiresAt: readText(token, 'expires_at'),
      repository: repository === undefined ? null : await readPermissions(ask, repository),
    };
  },
  async saveHook({ ask }, { repository, hookId, url, urlPrefix, secret, events }) {
    const hooks = `${projectPath(repository)}/hooks`;
    const [known] = hookId === null ? await listOwnHooks(ask, repository, urlPrefix) : [hookId];
    const switches = Object.fromEntries(SWITCHES.map((name) => [name, events.includes(name)]));
    const body = { url, token: secret, enable_ssl_verification: true, ...switches };
    const answer = await ask(
      known === undefined
        ? { method: 'POST', path: hooks, body }
        : { method: 'PUT', path: hooks + buildPath(known), body },
    );
    return readText(answer.body, 'id') ?? '';
  },
  async removeHook({ ask }, { repository, hookId, urlPrefix }) {
    const ids = hookId === null ? await listOwnHooks(ask, repository, urlPrefix) : [hookId];
    for (const id of ids) await ask({ method: 'DELETE', path: `${projectPath(repository)}/hooks${buildPath(id)}` });
  },
  async readIssue({ ask }, place) {
    const path = placePath(place);
    const { body } = await ask({ method: 'GET', path });
    const query = { per_page: PAGE, sort: 'asc' };
    const notes = readList((await ask({ method: 'GET', path: `${path}/notes`, query })).body);
    // GitLab also lists system notes, which are not comments.
    const written = notes.filter((note) => note['system'] !== true);
    return {
      ...toIssue(readFields(body)),
      body: readText(body, 'description') ?? '',
      comments: written.slice(0, MAX_COMMENTS).map((note) => ({
        author: readText(note, 'author', 'username'),
        body: readText(note, 'body') ?? '',
        created_at: readText(note, 'created_at'),
      })),
      has_more_comments: written.length > MAX_COMMENTS || notes.length === PAGE,
    };
  },
  async listIssues({ ask }, { repository, query, state, labels, limit }) {
    const asked = {
      search: query,
      state: state === 'open' ? 'opened' : state,
      labels: joinLabels(labels),
      per_page: limit,
    };
    const { body } = await ask({ method: 'GET', path: `${projectPath(repository)}/issues`, query: asked });
    return readList(body).map(toIssue);
  },
  async comment({ ask }, place, text) {
    const sent = { body: escapeQuickActions(text) };
    const { body } = await ask({ method: 'POST', path: `${placePath(place)}/notes`, body: sent });
    return { id: readText(body, 'id') ?? '', url: null };
  },
  async changeLabel({ ask }, place, { label, isAdded }) {
    const labels = joinLabels([label]);
    const body = isAdded ? { add_labels: labels } : { remove_labels: labels };
    await ask({ method: 'PUT', path: placePath(place), body });
  },
  async openIssue({ ask }, { repository, title, body, labels }) {
    const sent = { title, description: escapeQuickActions(body), labels: joinLabels(labels) };
    const answer = await ask({ method: 'POST', path: `${projectPath(repository)}/issues`, body: sent });
    return { id: readText(answer.body, 'iid') ?? '', url: readText(answer.body, 'web_url') };
  },
  async readChange({ ask }, { repository, issue }) {
    const path = placePath({ repository, issue, on: 'change' });
    const { body } = await ask({ method: 'GET', path });
    const { body: diffs } = await ask({ method: 'GET', path: `${path}/diffs`, query: { per_page: PAGE } });
    const files = readList(diffs).map((file) => ({
      path: readText(file, 'new_path') ?? '',
      status: describeFile(file),
      patch: readText(file, 'diff'),
    }));
    return {
      ...toIssue(readFields(body)),
      body: readText(body, 'description') ?? '',
      source_branch: readText(body, 'source_branch') ?? '',
      target_branch: readText(body, 'target_branch') ?? '',
      head_sha: readText(body, 'sha') ?? '',
      is_draft: readFields(body)['draft'] === true,
      files,
      has_more_files: files.length === PAGE,
    };
  },
  async setStatus({ ask }, { repository, sha, state, context, description, targetUrl }) {
    const path = `${projectPath(repository)}/statuses${buildPath(sha)}`;
    const body = { state: STATES[state], name: context, description, target_url: targetUrl };
    const answer = await ask({ method: 'POST', path, body });
    return { id: readText(answer.body, 'id') ?? '', url: targetUrl ?? null };
  },
};

/**
 * Escapes lines such as `/close`, `/merge` or `/move other/project`, which are commands that GitLab would execute with
 * the privileges of the token; the escaped lines are displayed as they were written.
 */
function escapeQuickActions(text: string): string {
  return text.replace(/^([^\S\r\n]*)\/(?=\w+(?:\s|$))/gm, '$1\\/');
}

/**
 * Joins labels with commas, as GitLab expects; a label therefore cannot contain a comma.
 * @throws TrackerError
 */
function joinLabels(labels: readonly string[]): string | undefined {
  if (labels.some((label) => label.includes(',')))
    throw new TrackerError('A GitLab label cannot contain a comma.', { fault: 'invalid' });
  return labels.join(',') || undefined;
}

function findSwitch(type: string): string | undefined {
  const name = type.toLowerCase();
  return EVENTS[name] ?? EVENTS[name.replace(/\.[^.]*$/, '')];
}

function projectPath(repository: string): string {
  return `/projects${buildPath(repository)}`;
}

function placePath({ repository, issue, on }: IssuePlace): string {
  return `${projectPath(repository)}/${on === 'change' ? 'merge_requests' : 'issues'}${buildPath(issue)}`;
}

/** Returns the permissions that result from the higher of the project's and the group's access level. */
async function readPermissions(ask: TrackerAccess['ask'], repository: string) {
  const { body } = await ask({ method: 'GET', path: projectPath(repository) });
  const permissions = readFields(readFields(body)['permissions']);
  const levels = ['project_access', 'group_access'].map((kind) =>
    Number(readText(permissions, kind, 'access_level') ?? 0),
  );
  const level = Math.max(...levels);
  return { mayRead: true, mayWrite: level >= DEVELOPER, mayManageHooks: level >= MAINTAINER };
}

async function listOwnHooks(ask: TrackerAccess['ask'], repository: string, urlPrefix: string): Promise<string[]> {
  const query = { per_page: PAGE };
  const { body } = await ask({ method: 'GET', path: `${projectPath(repository)}/hooks`, query });
  return readList(body)
    .filter((hook) => readText(hook, 'url')?.startsWith(urlPrefix) === true)
    .flatMap((hook) => readText(hook, 'id') ?? []);
}

function describeFile(file: Fields): string {
  if (file['new_file'] === true) return 'added';
  if (file['deleted_file'] === true) return 'removed';
  return file['renamed_file'] === true ? 'renamed' : 'modified';
}

function toIssue(issue: Fields): Issue {
  return {
    issue: readText(issue, 'iid') ?? '',
    title: readText(issue, 'title') ?? '',
    state: readText(issue, 'state') ?? '',
    url: readText(issue, 'web_url'),
    author: readText(issue, 'author', 'username'),
    assignees: listTexts(issue['assignees'], 'username'),
    labels: listTexts(issue['labels'], 'name'),
    created_at: readText(issue, 'created_at'),
    updated_at: readText(issue, 'updated_at'),
  };
}
