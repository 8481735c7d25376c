import { readDocument, toDocument } from './jira-document.ts';
import { buildPath, listTexts, readFields, readList, readText, type Fields } from './read-answer.ts';
import type { Issue, TrackerAccess, TrackerHost } from './tracker-host.ts';
import { TrackerError } from './tracker-error.ts';

const MAX_COMMENTS = 20;
const FIELDS = ['summary', 'status', 'reporter', 'assignee', 'labels', 'created', 'updated'];
const HOOKS = '/rest/webhooks/1.0/webhook';

/** Events for which hooks can be registered in Jira. */
const EVENTS = [
  'jira:issue_created',
  'jira:issue_updated',
  'jira:issue_deleted',
  'comment_created',
  'comment_updated',
  'comment_deleted',
  'worklog_created',
  'worklog_updated',
  'worklog_deleted',
  'attachment_created',
  'attachment_deleted',
  'issuelink_created',
  'issuelink_deleted',
  'sprint_created',
  'sprint_started',
  'sprint_closed',
];
const USUAL = EVENTS.slice(0, 4);
/**
 * The event to register for each kind of change. Jira names the kind in its requests, and the filters of flows use
 * these kinds.
 */
const ACTIONS: Readonly<Record<string, string>> = {
  issue_created: 'jira:issue_created',
  issue_updated: 'jira:issue_updated',
  issue_generic: 'jira:issue_updated',
  issue_assigned: 'jira:issue_updated',
  issue_commented: 'jira:issue_updated',
  issue_comment_edited: 'jira:issue_updated',
  issue_moved: 'jira:issue_updated',
  issue_resolved: 'jira:issue_updated',
  issue_closed: 'jira:issue_updated',
  issue_reopened: 'jira:issue_updated',
};

/**
 * Client of Jira Cloud (REST v3, text fields are documents) and Jira Data Center (REST v2, text fields are strings).
 * Only administrators can register hooks.
 */
export const jira: TrackerHost = {
  title: 'Jira',
  repository: { pattern: /^[A-Z][A-Z0-9_]{1,99}$/, words: 'the key of a project, for example OPS' },
  baseUrl: undefined,
  findApiPath: () => '',
  buildAuthorization: (token, username) => ({
    authorization:
      username === null ? `Bearer ${token}` : `Basic ${Buffer.from(`${username}:${token}`).toString('base64')}`,
  }),
  planEvents(types) {
    if (types.length === 0) return USUAL;
    const planned = types.map((type) => (EVENTS.includes(type) ? type : ACTIONS[type]));
    const unknown = planned.indexOf(undefined);
    if (unknown >= 0) return `Jira has no webhook for "${types[unknown] ?? ''}".`;
    return [...new Set(planned.flatMap((event) => event ?? []))];
  },
  async describeToken(access, repository) {
    const { body } = await access.ask({ method: 'GET', path: `${apiPath(access)}/myself` });
    return {
      login: readText(body, 'emailAddress') ?? readText(body, 'name') ?? readText(body, 'accountId') ?? '',
      name: readText(body, 'displayName'),
      scopes: null,
      expiresAt: null,
      repository: repository === undefined ? null : await readPermissions(access, repository),
    };
  },
  async saveHook({ ask }, { repository, hookId, url, urlPrefix, secret, events }) {
    const body = {
      name: `Steward ${repository}`,
      url,
      events,
      filters: { 'issue-related-events-section': `project = "${repository}"` },
      excludeBody: false,
      enabled: true,
      secret,
    };
    const [known] = hookId === null ? await listOwnHooks(ask, urlPrefix) : [hookId];
    const answer = await ask(
      known === undefined
        ? { method: 'POST', path: HOOKS, body }
        : { method: 'PUT', path: HOOKS + buildPath(known), body },
    );
    return known ?? readHookId(answer.body);
  },
  async removeHook({ ask }, { hookId, urlPrefix }) {
    const ids = hookId === null ? await listOwnHooks(ask, urlPrefix) : [hookId];
    for (const id of ids) await ask({ method: 'DELETE', path: HOOKS + buildPath(id) });
  },
  async readIssue(access, { issue }) {
    const fields = [...FIELDS, 'description', 'comment'].join(',');
    const { body } = await access.ask({ method: 'GET', path: issuePath(access, issue), query: { fields } });
    const comments = readList(readFields(readFields(readFields(body)['fields'])['comment'])['comments']);
    return {
      ...toIssue(readFields(body)),
      body: readDocument(readFields(readFields(body)['fields'])['description']),
      comments: comments.slice(0, MAX_COMMENTS).map((comment) => ({
        author: readText(comment, 'author', 'displayName'),
        body: readDocument(comment['body']),
        created_at: readText(comment, 'created'),
      })),
      has_more_comments: comments.length > MAX_COMMENTS,
    };
  },
  async listIssues(access, { repository, query, state, labels, limit }) {
    const conditions = [
      `project = ${quote(repository)}`,
      ...(query === undefined ? [] : [`text ~ ${quote(quotePhrase(query))}`]),
      ...(state === 'all' ? [] : [`statusCategory ${state === 'open' ? '!=' : '='} Done`]),
      ...labels.map((label) => `labels = ${quote(label)}`),
    ];
    const jql = `${conditions.join(' AND ')} ORDER BY updated DESC`;
    const path = access.isCloud ? `${apiPath(access)}/search/jql` : `${apiPath(access)}/search`;
    const { body } = await access.ask({ method: 'POST', path, body: { jql, fields: FIELDS, maxResults: limit } });
    return readList(readFields(body)['issues']).map(toIssue);
  },
  async comment(access, { issue }, text) {
    const body = { body: write(access, text) };
    const answer = await access.ask({ method: 'POST', path: `${issuePath(access, issue)}/comment`, body });
    return { id: readText(answer.body, 'id') ?? '', url: null };
  },
  async changeLabel(access, { issue }, { label, isAdded }) {
    if (/\s/.test(label)) throw new TrackerError('A Jira label cannot contain spaces.', { fault: 'invalid' });
    const body = { update: { labels: [isAdded ? { add: label } : { remove: label }] } };
    await access.ask({ method: 'PUT', path: issuePath(access, issue), body });
  },
  async openIssue(access, { repository, title, body, labels, issueType = 'Task' }) {
    const fields = {
      project: { key: repository },
      issuetype: { name: issueType },
      summary: title,
      ...(body === '' ? {} : { description: write(access, body) }),
      ...(labels.length === 0 ? {} : { labels }),
    };
    const answer = await access.ask({ method: 'POST', path: `${apiPath(access)}/issue`, body: { fields } });
    const key = readText(answer.body, 'key') ?? '';
    return { id: key, url: toPage(readText(answer.body, 'self'), key) };
  },
};

const apiPath = ({ isCloud }: TrackerAccess): string => (isCloud ? '/rest/api/3' : '/rest/api/2');

const issuePath = (access: TrackerAccess, issue: string): string => `${apiPath(access)}/issue${buildPath(issue)}`;

const write = ({ isCloud }: TrackerAccess, text: string): unknown => (isCloud ? toDocument(text) : text);

/** Quotes a string for JQL, so that its content cannot terminate it. */
function quote(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`;
}

/**
 * Returns only the words of a text: letters, digits and underscores are kept; other characters are replaced by spaces,
 * because some of these characters are special in the query language.
 */
function quotePhrase(text: string): string {
  return text.replace(/[^\p{L}\p{N}_]+/gu, ' ').trim();
}

/** Returns the id of a hook: the last part of its API URL, or its field `id` if it has no URL. */
function readHookId(hook: unknown): string {
  return readText(hook, 'self')?.split('/').at(-1) ?? readText(hook, 'id') ?? '';
}

async function listOwnHooks(ask: TrackerAccess['ask'], urlPrefix: string): Promise<string[]> {
  const { body } = await ask({ method: 'GET', path: HOOKS });
  return readList(body)
    .filter((hook) => readText(hook, 'url')?.startsWith(urlPrefix) === true)
    .map(readHookId);
}

async function readPermissions(access: TrackerAccess, projectKey: string) {
  const permissions = 'BROWSE_PROJECTS,ADD_COMMENTS,CREATE_ISSUES,EDIT_ISSUES,ADMINISTER';
  const query = { permissions, projectKey };
  const { body } = await access.ask({ method: 'GET', path: `${apiPath(access)}/mypermissions`, query });
  const has = (name: string): boolean =>
    readFields(readFields(readFields(body)['permissions'])[name])['havePermission'] === true;
  return {
    mayRead: has('BROWSE_PROJECTS'),
    mayWrite: has('ADD_COMMENTS') && has('CREATE_ISSUES') && has('EDIT_ISSUES'),
    mayManageHooks: has('ADMINISTER'),
  };
}

/**
 * Returns the URL of an issue's page, derived from the API address of the issue, because a Data Center instance may be
 * below a path.
 */
function toPage(self: string | null, key: string): string | null {
  const end = self?.indexOf('/rest/') ?? -1;
  return self === null || end < 0 ? null : `${self.slice(0, end)}/browse/${encodeURIComponent(key)}`;
}

function toIssue(issue: Fields): Issue {
  const fields = readFields(issue['fields']);
  const assignee = readText(fields, 'assignee', 'displayName');
  const key = readText(issue, 'key') ?? '';
  return {
    issue: key,
    title: readText(fields, 'summary') ?? '',
    state: readText(fields, 'status', 'name') ?? '',
    url: toPage(readText(issue, 'self'), key),
    author: readText(fields, 'reporter', 'displayName'),
    assignees: assignee === null ? [] : [assignee],
    labels: listTexts(fields['labels']),
    created_at: readText(fields, 'created'),
    updated_at: readText(fields, 'updated'),
  };
}
