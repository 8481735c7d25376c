import { listTexts, readFields, readList, readText, type Fields } from './read-answer.ts';
import type { Issue, TrackerAccess, TrackerHost } from './tracker-host.ts';
import { TrackerError, type TrackerFault } from './tracker-error.ts';

const MAX_COMMENTS = 20;

/** Events for which hooks can be registered in Linear. */
const RESOURCES = [
  'Issue',
  'Comment',
  'IssueLabel',
  'Attachment',
  'Reaction',
  'Project',
  'ProjectUpdate',
  'Document',
  'Cycle',
  'Initiative',
];

const ISSUE = `identifier title url createdAt updatedAt
  state { name } creator { displayName } assignee { displayName } labels { nodes { name } }`;

/** Client of Linear, which has a GraphQL API. A repository corresponds to a team. */
export const linear: TrackerHost = {
  title: 'Linear',
  repository: { pattern: /^[A-Z0-9_]{1,20}$/, words: 'the key of a team, for example ENG' },
  baseUrl: 'https://api.linear.app',
  findApiPath: () => '',
  // Personal keys are sent unchanged; other tokens are sent as bearer tokens.
  buildAuthorization: (token) => ({ authorization: token.startsWith('lin_api_') ? token : `Bearer ${token}` }),
  findError,
  planEvents(types) {
    if (types.length === 0) return ['Issue', 'Comment'];
    const planned = types.map((type) => type.replace(/\..*$/, ''));
    const unknown = planned.find((name) => !RESOURCES.includes(name));
    return unknown === undefined ? [...new Set(planned)] : `Linear has no webhook for "${unknown}".`;
  },
  async describeToken({ ask }, repository) {
    const data = await askLinear(ask, 'query { viewer { name email admin } }');
    const viewer = readFields(data['viewer']);
    const team = repository === undefined ? undefined : await findTeam(ask, repository);
    return {
      login: readText(viewer, 'email') ?? '',
      name: readText(viewer, 'name'),
      scopes: null,
      expiresAt: null,
      repository:
        team === undefined ? null : { mayRead: true, mayWrite: true, mayManageHooks: viewer['admin'] === true },
    };
  },
  async saveHook({ ask }, { repository, hookId, url, urlPrefix, secret, events }) {
    const [known] = hookId === null ? await listOwnHooks(ask, urlPrefix) : [hookId];
    const common = { url, secret, resourceTypes: events, enabled: true, label: `Steward ${repository}` };
    if (known !== undefined) {
      const mutation = `mutation($id: String!, $input: WebhookUpdateInput!) {
        webhookUpdate(id: $id, input: $input) { success } }`;
      await askLinear(ask, mutation, { id: known, input: common });
      return known;
    }
    const mutation =
      'mutation($input: WebhookCreateInput!) { webhookCreate(input: $input) { success webhook { id } } }';
    const data = await askLinear(ask, mutation, { input: { ...common, teamId: await findTeam(ask, repository) } });
    return readText(data, 'webhookCreate', 'webhook', 'id') ?? '';
  },
  async removeHook({ ask }, { hookId, urlPrefix }) {
    const ids = hookId === null ? await listOwnHooks(ask, urlPrefix) : [hookId];
    for (const id of ids) await askLinear(ask, 'mutation($id: String!) { webhookDelete(id: $id) { success } }', { id });
  },
  async readIssue({ ask }, { issue }) {
    const query = `query($id: String!, $first: Int!) { issue(id: $id) { ${ISSUE} description
      comments(first: $first) { nodes { body createdAt user { displayName } } pageInfo { hasNextPage } } } }`;
    const found = readFields((await askLinear(ask, query, { id: issue, first: MAX_COMMENTS }))['issue']);
    const comments = readFields(found['comments']);
    return {
      ...toIssue(found),
      body: readText(found, 'description') ?? '',
      comments: readList(comments['nodes']).map((comment) => ({
        author: readText(comment, 'user', 'displayName'),
        body: readText(comment, 'body') ?? '',
        created_at: readText(comment, 'createdAt'),
      })),
      has_more_comments: readFields(comments['pageInfo'])['hasNextPage'] === true,
    };
  },
  async listIssues({ ask }, { repository, query, state, labels, limit }) {
    const done = ['completed', 'canceled'];
    const filter = {
      team: { key: { eq: repository } },
      ...(state === 'all' ? {} : { state: { type: state === 'open' ? { nin: done } : { in: done } } }),
      ...(labels.length === 0 ? {} : { and: labels.map((label) => ({ labels: { name: { eq: label } } })) }),
      ...(query === undefined
        ? {}
        : { or: [{ title: { containsIgnoreCase: query } }, { description: { containsIgnoreCase: query } }] }),
    };
    const text = `query($filter: IssueFilter, $first: Int!) { issues(filter: $filter, first: $first, orderBy: updatedAt) {
      nodes { ${ISSUE} } } }`;
    const data = await askLinear(ask, text, { filter, first: limit });
    return readList(readFields(data['issues'])['nodes']).map(toIssue);
  },
  async comment({ ask }, { issue }, body) {
    const input = { issueId: await findIssueId(ask, issue), body };
    const mutation = `mutation($input: CommentCreateInput!) {
      commentCreate(input: $input) { success comment { id url } } }`;
    const comment = readFields(readFields((await askLinear(ask, mutation, { input }))['commentCreate'])['comment']);
    return { id: readText(comment, 'id') ?? '', url: readText(comment, 'url') };
  },
  async changeLabel({ ask }, { issue }, { label, isAdded }) {
    const id = await findIssueId(ask, issue);
    const [labelId] = await findLabels(ask, [label]);
    const name = isAdded ? 'issueAddLabel' : 'issueRemoveLabel';
    const mutation = `mutation($id: String!, $labelId: String!) { ${name}(id: $id, labelId: $labelId) { success } }`;
    await askLinear(ask, mutation, { id, labelId });
  },
  async openIssue({ ask }, { repository, title, body, labels }) {
    const [teamId, labelIds] = [await findTeam(ask, repository), await findLabels(ask, labels)];
    const input = { teamId, title, description: body, ...(labelIds.length === 0 ? {} : { labelIds }) };
    const mutation =
      'mutation($input: IssueCreateInput!) { issueCreate(input: $input) { success issue { identifier url } } }';
    const issue = readFields(readFields((await askLinear(ask, mutation, { input }))['issueCreate'])['issue']);
    return { id: readText(issue, 'identifier') ?? '', url: readText(issue, 'url') };
  },
};

/** Faults by the error code in the response body. */
const FAULTS: Readonly<Record<string, TrackerFault>> = {
  AUTHENTICATION_ERROR: 'unauthorized',
  FORBIDDEN: 'forbidden',
  RATELIMITED: 'rate_limited',
  INTERNAL_SERVER_ERROR: 'unavailable',
};

async function askLinear(ask: TrackerAccess['ask'], query: string, variables: object = {}): Promise<Fields> {
  const { body } = await ask({ method: 'POST', path: '/graphql', body: { query, variables } });
  return readFields(readFields(body)['data']);
}

/** Returns the error in a response body: GraphQL reports errors there, whatever the status. */
function findError(body: unknown): TrackerError | undefined {
  const [error] = readList(readFields(body)['errors']);
  if (error === undefined) return undefined;
  const code = readText(error, 'extensions', 'code') ?? '';
  const said = readText(error, 'extensions', 'userPresentableMessage') ?? readText(error, 'message') ?? code;
  const isMissing = /not found/i.test(said) || /not found/i.test(readText(error, 'message') ?? '');
  const fault = FAULTS[code] ?? (isMissing ? 'not_found' : 'invalid');
  return new TrackerError(`Linear says: ${said.slice(0, 300)}`, { fault });
}

async function findTeam(ask: TrackerAccess['ask'], key: string): Promise<string> {
  const query = 'query($key: String!) { teams(filter: { key: { eq: $key } }) { nodes { id } } }';
  const [team] = readList(readFields((await askLinear(ask, query, { key }))['teams'])['nodes']);
  const id = readText(team, 'id');
  if (id === null) throw new TrackerError(`Linear has no team "${key}" for this token.`, { fault: 'not_found' });
  return id;
}

async function findIssueId(ask: TrackerAccess['ask'], issue: string): Promise<string> {
  const data = await askLinear(ask, 'query($id: String!) { issue(id: $id) { id } }', { id: issue });
  return readText(data, 'issue', 'id') ?? issue;
}

/** Returns the ids of labels with these names. */
async function findLabels(ask: TrackerAccess['ask'], names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return [];
  const query = 'query($names: [String!]) { issueLabels(filter: { name: { in: $names } }) { nodes { id name } } }';
  const found = readList(readFields((await askLinear(ask, query, { names }))['issueLabels'])['nodes']);
  return names.map((name) => {
    const id = readText(
      found.find((label) => label['name'] === name),
      'id',
    );
    if (id === null) throw new TrackerError(`Linear has no label "${name}".`, { fault: 'not_found' });
    return id;
  });
}

async function listOwnHooks(ask: TrackerAccess['ask'], urlPrefix: string): Promise<string[]> {
  const data = await askLinear(ask, 'query { webhooks(first: 250) { nodes { id url } } }');
  return readList(readFields(data['webhooks'])['nodes'])
    .filter((hook) => readText(hook, 'url')?.startsWith(urlPrefix) === true)
    .flatMap((hook) => readText(hook, 'id') ?? []);
}

function toIssue(issue: Fields): Issue {
  const assignee = readText(issue, 'assignee', 'displayName');
  return {
    issue: readText(issue, 'identifier') ?? '',
    title: readText(issue, 'title') ?? '',
    state: readText(issue, 'state', 'name') ?? '',
    url: readText(issue, 'url'),
    author: readText(issue, 'creator', 'displayName'),
    assignees: assignee === null ? [] : [assignee],
    labels: listTexts(readFields(issue['labels'])['nodes'], 'name'),
    created_at: readText(issue, 'createdAt'),
    updated_at: readText(issue, 'updatedAt'),
  };
}
