import { Operations } from './__generated__/operations.gen.ts';
import type { ApprovalRequest, Execution, FoundSession, SearchSessionsRequest } from './__generated__/types.gen.ts';
import { Caller, type CallerOptions, type CallOptions } from './caller.ts';
import { pause } from './send-with-retries.ts';
import { StewardError } from './steward-error.ts';

export interface WaitOptions extends CallOptions {
  /** Milliseconds after which the wait fails with the code `wait_timeout`. Default: ten minutes. */
  readonly withinMs?: number;
}

const WAIT_MS = 600_000;
/** Maximum time in seconds for which the service holds a request open. */
const LONG_POLL_SECONDS = 30;
const POLL_MS = 500;
const ENDED: ReadonlySet<string> = new Set(['SUCCEEDED', 'FAILED', 'STOPPED']);

/**
 * A Steward service. Each inherited method has the name of an operation of the API; its parameters are the path
 * parameters, the body, the query and the options, in this order.
 *
 * @example
 * const steward = new Steward({ baseUrl: 'http://127.0.0.1:8000', token: process.env.STEWARD_API_KEY });
 * const session = await steward.openSession({ session_source_type: 'agent', session_source_id: 'run-1' });
 */
export class Steward extends Operations {
  constructor(options: CallerOptions) {
    super(new Caller(options));
  }

  /** Logs in with a password. Use API keys for programs that run longer than an access token is valid. */
  static async logIn(
    options: Omit<CallerOptions, 'token'> & { readonly username: string; readonly password: string },
  ): Promise<Steward> {
    const { username, password, ...rest } = options;
    const { access_token: token } = await new Steward(rest).logIn({ username, password });
    return new Steward({ ...rest, token });
  }

  /** Yields the sessions that a search finds, and requests each page only when it is needed. */
  async *searchAll(body: SearchSessionsRequest, options?: CallOptions): AsyncGenerator<FoundSession, void, void> {
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const page = await this.searchSessions(cursor === undefined ? body : { ...body, cursor }, options);
      yield* page.results;
      cursor = page.next_cursor;
    }
  }

  /** Waits until an execution has succeeded, failed or been stopped (`status`). */
  waitForExecution(executionId: string, options?: WaitOptions): Promise<Execution> {
    const read = (wait: number, call: CallOptions) => this.readExecution(executionId, { wait }, call);
    return waitFor(read, ({ status }) => ENDED.has(status), options);
  }

  /** Waits until an approval request is approved, declined, expired or cancelled. */
  waitForApproval(approvalRequestId: string, options?: WaitOptions): Promise<ApprovalRequest> {
    const read = (wait: number, call: CallOptions) => this.readApprovalRequest(approvalRequestId, { wait }, call);
    return waitFor(read, ({ status }) => status !== 'pending', options);
  }

  /**
   * Waits until search by meaning finds the content that was stored up to `storedAt`. Search by words finds content
   * immediately. Returns false, without waiting, if embeddings are disabled in the deployment or for the account.
   */
  async waitForIndexing(storedAt: Date | string = new Date(), options?: WaitOptions): Promise<boolean> {
    const through = new Date(storedAt).getTime();
    const read = (_wait: number, call: CallOptions) => this.readEmbeddingSetting(call);
    const { enabled, deployment_embedding_enabled: isPossible } = await waitFor(
      read,
      ({ enabled: wanted, deployment_embedding_enabled: possible, corpus }) =>
        !wanted ||
        !possible ||
        corpus.pending === 0 ||
        (corpus.embedded_through !== null && new Date(corpus.embedded_through).getTime() >= through),
      options,
    );
    return enabled && isPossible;
  }
}

/** Reads until the result is final; a read that the service holds open (`wait`) is repeated immediately. */
async function waitFor<Answer>(
  read: (waitSeconds: number, options: CallOptions) => Promise<Answer>,
  isDone: (answer: Answer) => boolean,
  { withinMs = WAIT_MS, ...options }: WaitOptions = {},
): Promise<Answer> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const startedAt = Date.now();
    const left = Math.max(0, Math.floor((deadline - startedAt) / 1000));
    const answer = await read(Math.min(left, LONG_POLL_SECONDS), options);
    if (isDone(answer)) return answer;
    if (Date.now() >= deadline)
      throw new StewardError(0, { code: 'wait_timeout', message: `No decision was made within ${withinMs} ms.` });
    const restMs = Math.min(startedAt + POLL_MS, deadline) - Date.now();
    if (restMs > 0) await pause(restMs, options.signal);
  }
}
