import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  eventually,
  releaseAfterAll,
  startPlayedTracker,
  type HttpReceiver,
  type PlayedTrackerKind,
  scaleLimit,
} from '@steward/testing';
import type { Api } from '../demo/api.ts';
import { makeRepository } from './make-repository.ts';
import { readEnd } from './read-end.ts';
import { registerOwner } from './register-owner.ts';
import { startScriptedModel, type Chat, type Step } from './scripted-model.ts';
import { findSharedSuite, takeOutsidePort } from './shared-suite.ts';

const TIMEOUT_MS = scaleLimit(300_000);
const TOKEN = 'a-token-of-the-tracker-0123456789';
const SHA = '6dcb09b5b57875f334f61aebed695e2e4193db5e';

interface Template {
  readonly name: string;
  readonly variants: readonly { readonly tracker_kind: string | null; readonly flow: Record<string, unknown> }[];
}

describe('flow templates, from the event to the end of the run (FLOW-73, TRK-7)', () => {
  const release = releaseAfterAll();
  const trackers = new Map<PlayedTrackerKind, Awaited<ReturnType<typeof startPlayedTracker>>>();
  const ids = new Map<PlayedTrackerKind, string>();
  let api: Api;
  let model: HttpReceiver;
  let script: readonly Step[] = [];
  let repository: string;

  beforeAll(async () => {
    for (const kind of ['github', 'gitlab', 'jira'] as const) {
      const tracker = await startPlayedTracker(kind, await takeOutsidePort());
      trackers.set(kind, tracker);
      release(tracker.close);
    }
    model = await startScriptedModel(() => script, await takeOutsidePort());
    release(model.close);
    const modelOrigin = new URL(model.url).origin;
    const folder = mkdtempSync(join(tmpdir(), 'steward-templates-'));
    release(() => rmSync(folder, { recursive: true }));
    repository = makeRepository(folder);
    ({ api } = await registerOwner((await findSharedSuite()).api, 'templates'));
    const large = { alias: 'large', provider: 'openai', base_url: modelOrigin, model_identifier: 'm' };
    expect((await api.call('POST', '/api/v1/ai-models', { body: large })).status).toBe(201);
    for (const [kind, { origin }] of trackers) {
      const username = kind === 'jira' ? { username: 'bot@acme.test' } : {};
      const body = { name: kind, kind, base_url: origin, token: TOKEN, ...username };
      const made = await api.call('POST', '/api/v1/trackers', { body });
      expect(made.status).toBe(201);
      ids.set(kind, String(made.body.id));
    }
  }, TIMEOUT_MS);

  /** Creates a flow from a template as a user would, and returns the URL for its events. */
  async function make(name: string, kind: PlayedTrackerKind | null, at: string, more: object = {}) {
    const { items } = (await api.call('GET', '/api/v1/flow-templates')).body as unknown as { items: Template[] };
    const variant = items
      .find((template) => template.name === name)
      ?.variants.find((each) => each.tracker_kind === kind);
    if (variant === undefined) throw new Error(`no ${name} for ${kind}`);
    const tracker = kind === null ? {} : { tracker_config: { tracker_id: ids.get(kind), repository: at } };
    const body = { ...variant.flow, name: `${name} ${kind}`, ai_model_id: 'large', ...tracker, ...more };
    const made = await api.call('POST', '/api/v1/flows', { body });
    expect([made.status, made.status === 201 ? '' : made.body]).toEqual([201, '']);
    return made.body as unknown as { id: string; webhook_config: { webhook_secret: string } };
  }

  async function waitForHook(kind: PlayedTrackerKind, flowId: string) {
    const find = () => [...(trackers.get(kind)?.hooks.values() ?? [])].find(({ url }) => url.includes(flowId));
    await eventually(() => find() !== undefined);
    return find() as NonNullable<ReturnType<typeof find>>;
  }

  async function send(
    kind: PlayedTrackerKind,
    url: string,
    { secret, event, payload }: { secret: string; event: string; payload: object },
  ) {
    const text = JSON.stringify(payload);
    const signature = `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`;
    const headers = {
      github: { 'x-github-event': event, 'x-hub-signature-256': signature },
      gitlab: { 'x-gitlab-event': event, 'x-gitlab-token': secret },
      jira: { 'x-hub-signature': signature },
      linear: {},
    }[kind] as Record<string, string>;
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: text,
    });
    expect(answer.status).toBe(202);
    return (await answer.json()) as { status: string; execution_id: string };
  }

  async function end(executionId: string) {
    const ended = await readEnd(api, executionId);
    expect([ended.status, ended.error_message]).toEqual(['SUCCEEDED', null]);
    const last = JSON.parse(model.requests.at(-1)?.body.toString() ?? '{}') as Chat;
    expect(JSON.stringify(last)).not.toContain('refused');
    expect(JSON.stringify([last, ended])).not.toContain(TOKEN);
    return last;
  }

  const writes = (kind: PlayedTrackerKind) =>
    (trackers.get(kind)?.requests ?? [])
      .filter(({ method, path }) => method !== 'GET' && !path.includes('hook'))
      .map(({ method, path }) => `${method} ${path}`);

  it.each([
    [
      'github',
      'pull_request',
      { action: 'opened', pull_request: { number: 7, draft: false }, repository: { full_name: 'acme/shop' } },
      ['POST /api/v3/repos/acme/shop/issues/42/comments', `POST /api/v3/repos/acme/shop/statuses/${SHA}`],
    ],
    [
      'gitlab',
      'Merge Request Hook',
      {
        object_kind: 'merge_request',
        project: { path_with_namespace: 'acme/shop' },
        object_attributes: { iid: 7, action: 'open', draft: false },
      },
      ['POST /api/v4/projects/acme%2Fshop/merge_requests/7/notes', `POST /api/v4/projects/acme%2Fshop/statuses/${SHA}`],
    ],
  ] as const)(
    'review-change of %s reads the change, comments and sets the check',
    async (kind, event, payload, written) => {
      const flow = await make('review-change', kind, 'acme/shop');
      const hook = await waitForHook(kind, flow.id);
      const place = { tracker: kind, repository: 'acme/shop' };
      // GitHub treats pull requests as issues; the one that the imitated GitHub uses for comments is 42.
      const issue = kind === 'github' ? '42' : '7';
      script = [
        { tool: 'tracker__read_change', arguments: { ...place, change: '7' } },
        { tool: 'tracker__comment', arguments: { ...place, issue, on: 'change', body: 'Looks good.' } },
        { tool: 'tracker__set_status', arguments: { ...place, sha: SHA, state: 'success', context: 'steward/review' } },
      ];
      const draft = JSON.parse(JSON.stringify(payload).replace('"draft":false', '"draft":true')) as object;
      expect((await send(kind, hook.url, { secret: hook.secret, event, payload: draft })).status).toBe('ignored');
      const { execution_id: id } = await send(kind, hook.url, { secret: hook.secret, event, payload });
      const { messages, tools } = await end(id);
      expect(JSON.stringify(messages[0]) + JSON.stringify(messages[1])).toContain(
        'Review change 7 of the repository acme/shop',
      );
      expect(tools?.map((tool) => tool.function.name).sort()).toEqual([
        'tracker__comment',
        'tracker__read_change',
        'tracker__set_status',
      ]);
      expect(writes(kind)).toEqual(expect.arrayContaining([...written]));
    },
    TIMEOUT_MS,
  );

  it.each([
    [
      'github',
      'issues',
      '42',
      'acme/shop',
      { action: 'opened', issue: { number: 42 }, repository: { full_name: 'acme/shop' } },
    ],
    [
      'jira',
      '',
      'OPS-42',
      'OPS',
      { webhookEvent: 'jira:issue_created', issue: { key: 'OPS-42', fields: { project: { key: 'OPS' } } } },
    ],
  ] as const)(
    'triage-issue of %s reads the issue, adds a label and comments',
    async (kind, event, issue, at, payload) => {
      const flow = await make('triage-issue', kind, at);
      const hook = await waitForHook(kind, flow.id);
      const place = { tracker: kind, repository: at };
      script = [
        { tool: 'tracker__read_issue', arguments: { ...place, issue } },
        { tool: 'tracker__list_issues', arguments: { ...place, state: 'all', limit: 50 } },
        { tool: 'tracker__add_label', arguments: { ...place, issue, label: 'triage' } },
        { tool: 'tracker__comment', arguments: { ...place, issue, body: 'Which browser?' } },
      ];
      const before = writes(kind).length;
      const { execution_id: id } = await send(kind, hook.url, { secret: hook.secret, event, payload });
      const { messages } = await end(id);
      expect(JSON.stringify(messages.slice(0, 2))).toContain(`Triage issue ${issue} of ${at}`);
      expect(JSON.stringify(messages)).toContain('Checkout fails for empty carts');
      expect(writes(kind).length).toBeGreaterThanOrEqual(before + 2);
    },
    TIMEOUT_MS,
  );

  it(
    'fix-failed-pipeline works in a clone, stores its patch as evidence and opens an issue',
    async () => {
      const clone = { git_clone_config: { repository_url: `file://${repository}`, clone_path: 'shop' } };
      const flow = await make('fix-failed-pipeline', 'github', 'acme/shop', clone);
      const hook = await waitForHook('github', flow.id);
      script = [
        {
          tool: 'run_shell',
          arguments: { command: 'cd shop && sed -i s/wrong/right/ check.txt && git diff > ../fix.patch' },
        },
        {
          tool: 'tracker__open_issue',
          arguments: { tracker: 'github', repository: 'acme/shop', title: 'Check fails', body: 'Cause.' },
        },
      ];
      const workflow_run = {
        conclusion: 'failure',
        head_sha: SHA,
        head_branch: 'main',
        html_url: 'https://github.com/acme/shop/actions/runs/1',
      };
      const payload = { action: 'completed', workflow_run, repository: { full_name: 'acme/shop' } };
      const passed = { ...payload, workflow_run: { ...workflow_run, conclusion: 'success' } };
      const event = 'workflow_run';
      expect((await send('github', hook.url, { secret: hook.secret, event, payload: passed })).status).toBe('ignored');
      const { execution_id: id } = await send('github', hook.url, { secret: hook.secret, event, payload });
      const { messages } = await end(id);
      expect(JSON.stringify(messages.slice(0, 2))).toContain(`failed at commit ${SHA} on the branch main`);
      expect(writes('github')).toContain('POST /api/v3/repos/acme/shop/issues');
      const { body } = await api.call('GET', `/api/v1/flows/executions/${id}`);
      expect(body.evidence_receipt).toMatchObject({ status: 'available', integrity_verified: true });
    },
    TIMEOUT_MS,
  );

  it(
    'nightly-audit has its next due time, and opens an issue with its findings when it is run',
    async () => {
      const clone = { git_clone_config: { repository_url: `file://${repository}`, clone_path: 'shop' } };
      const flow = await make('nightly-audit', null, '', clone);
      script = [
        { tool: 'run_shell', arguments: { command: 'cd shop && git log --oneline > ../audit.md' } },
        {
          tool: 'tracker__open_issue',
          arguments: { tracker: 'gitlab', repository: 'acme/shop', title: 'Audit', body: 'One.' },
        },
      ];
      const { body: schedule } = await api.call('GET', `/api/v1/flows/${flow.id}/schedule`);
      expect(schedule.next_due_times).toHaveLength(5);
      const { body: run } = await api.call('POST', `/api/v1/flows/${flow.id}/schedule/run`, { body: {} });
      const id = String(run.execution_id);
      const { messages } = await end(id);
      expect(JSON.stringify(messages.slice(0, 2))).toContain(
        'Audit the repository that is cloned in the workspace, as of 20',
      );
      expect(writes('gitlab')).toContain('POST /api/v4/projects/acme%2Fshop/issues');
    },
    TIMEOUT_MS,
  );
});
