import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createApi, requireStatus, type Api } from '../demo/api.ts';

export interface Reviewer {
  readonly username: string;
  /** Returns the decisions since the previous call of this function, such as `approve local/Bash`. */
  takeDecisions(): readonly string[];
  stop(): Promise<void>;
}

interface ApprovalRequest {
  readonly id: string;
  readonly server: string | null;
  readonly tool_name: string;
  readonly arguments: unknown;
}

const LOOK_EVERY_MS = 200;

/** Reason for declining, which the agent has to receive. */
export const describeDecline = (server: string): string => `Not today, by ${server}.`;

/**
 * Starts a second person of the account, who approves the first call of a tool whose arguments contain `approved`, and
 * declines all others.
 */
export async function startReviewer(owner: Api, url: string): Promise<Reviewer> {
  const username = `reviewer-${randomBytes(5).toString('hex')}`;
  const password = randomBytes(12).toString('base64url');
  const body = { username, email: `${username}@example.test`, password, role: 'admin' };
  await requireStatus(201, owner.call('POST', '/api/v1/users', { body }));
  const token = await requireStatus(
    200,
    createApi(url).call('POST', '/api/v1/auth/token/json', { body: { username, password } }),
  );
  const api = createApi(url, String(token['access_token']));
  const approved = new Set<string>();
  let decisions: string[] = [];

  async function decide({ id, server, tool_name: tool, arguments: given }: ApprovalRequest): Promise<void> {
    const name = `${server ?? 'local'}/${tool}`;
    const isFirst = JSON.stringify(given).includes('approved') && !approved.has(name);
    if (isFirst) approved.add(name);
    const vote = isFirst
      ? { decision: 'approve', comment: 'Go ahead.' }
      : { decision: 'decline', comment: describeDecline(server ?? 'local') };
    await requireStatus(200, api.call('POST', `/api/v1/approval-requests/${id}/decide`, { body: vote }));
    decisions.push(`${vote.decision} ${name}`);
  }

  const stopped = new AbortController();
  const watching = (async () => {
    while (!stopped.signal.aborted) {
      const { items } = await requireStatus(200, api.call('GET', '/api/v1/approval-requests?status=pending&mine=true'));
      for (const request of items as unknown as ApprovalRequest[]) await decide(request);
      await delay(LOOK_EVERY_MS);
    }
  })();
  watching.catch((error: unknown) => console.error(`the reviewer cannot decide: ${String(error)}`));
  return {
    username,
    takeDecisions() {
      const taken = decisions;
      decisions = [];
      return taken;
    },
    async stop() {
      stopped.abort();
      await watching.catch(() => undefined);
    },
  };
}
