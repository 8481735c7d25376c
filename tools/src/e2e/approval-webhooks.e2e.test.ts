import {
  eventually,
  releaseAfterAll,
  scaleLimit,
  startHttpReceiver,
  type HttpReceiver,
  type ReceivedRequest,
} from '@steward/testing';
import { verifyWebhook } from '@steward/webhook-verify';
import type { Api } from '../demo/api.ts';
import { registerOwner } from './register-owner.ts';
import { findSharedSuite, type SharedSuite } from './shared-suite.ts';
import { START_TIMEOUT_MS } from './suite-apps.ts';

const TIMEOUT_MS = scaleLimit(300_000);
/** Time limit for the second attempt, which is made ten seconds after the first one. */
const LONG = { timeoutMs: scaleLimit(120_000) };
const POLICY = {
  version: '1',
  rules: [{ id: 'deploys', description: 'A yes', match: { tools: ['*/deploy'] }, action: 'require_approval' }],
};

describe('the receiver of an approval workflow (AP-8, APR-2, APR-14)', () => {
  const release = releaseAfterAll();
  let suite: SharedSuite;
  let receiver: HttpReceiver;
  let api: Api;
  let workflowId: string;
  let secret: string;

  beforeAll(async () => {
    receiver = await startHttpReceiver();
    release(() => receiver.close());
    suite = await findSharedSuite();
    ({ api } = await registerOwner(suite.api, 'approvals'));
    const { body } = await api.call('POST', '/api/v1/approval-workflows', {
      body: { name: 'told', is_default: true, channel_configs: [{ kind: 'webhook', url: receiver.url }] },
    });
    workflowId = String(body.id);
    secret = String(body.webhook_secret);
    await api.call('POST', '/api/v1/policies/apply', { body: POLICY });
  }, START_TIMEOUT_MS);

  /** Creates a call that is waiting for approval. */
  async function hold(version: string): Promise<string> {
    const asked = { tool_name: 'deploy', arguments: { version } };
    const { body } = await api.call('POST', '/api/v1/agents/permission-check', { body: asked });
    expect(body.decision).toBe('pending');
    return String(body.approval_request_id);
  }
  const read = async (id: string) => (await api.call('GET', `/api/v1/approval-requests/${id}`)).body;
  const findPost = (id: string): Promise<ReceivedRequest> =>
    eventually(() => receiver.requests.findLast(({ body }) => body.toString().includes(id)), LONG);
  const verifies = (post: ReceivedRequest, key: string): boolean => {
    try {
      return verifyWebhook(post.body, post.headers, key).type === 'approval.created';
    } catch {
      return false;
    }
  };
  async function rotate(overlapSeconds: number): Promise<string> {
    const { body, status } = await api.call('POST', `/api/v1/approval-workflows/${workflowId}/webhook-secret/rotate`, {
      body: { overlap_seconds: overlapSeconds },
    });
    expect(status).toBe(200);
    return String(body.webhook_secret);
  }

  it(
    'receives the request later if it was unavailable, and only then is the request reported as delivered',
    async () => {
      receiver.respondWith((_request, response) => void response.socket?.destroy());
      const id = await hold('1');
      await findPost(id);
      expect(await read(id)).toMatchObject({ status: 'pending', webhook_posted_at: null });
      const before = Date.now();
      receiver.respondWith((_request, response) => void response.writeHead(200).end());
      const posted = await eventually(async () => String((await read(id)).webhook_posted_at ?? '') || undefined, LONG);
      expect(Date.parse(posted)).toBeGreaterThanOrEqual(before);
      expect((await read(id)).webhook_error).toBeNull();
      const posts = receiver.requests.filter(({ body }) => body.toString().includes(id));
      expect(posts.length).toBeGreaterThan(1);
      expect(new Set(posts.map(({ body }) => body.toString())).size).toBe(1);
      expect(verifies(posts.at(-1) as ReceivedRequest, secret)).toBe(true);
    },
    TIMEOUT_MS,
  );

  it(
    'verifies requests only with the new secret after a rotation, and with both during the overlap',
    async () => {
      const former = secret;
      secret = await rotate(300);
      const during = await findPost(await hold('2'));
      expect([former, secret].map((key) => verifies(during, key))).toEqual([true, true]);
      const second = secret;
      secret = await rotate(0);
      const after = await findPost(await hold('3'));
      expect([former, second, secret].map((key) => verifies(after, key))).toEqual([false, false, true]);
    },
    TIMEOUT_MS,
  );
});
