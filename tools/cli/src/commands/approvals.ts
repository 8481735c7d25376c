import { setTimeout as sleep } from 'node:timers/promises';
import { createApiClient, type ApiClient } from '../api/api-client.ts';
import type { CliContext } from '../cli-context.ts';
import { showSigns } from '@steward/text';
import { formatJson, formatMinute } from '../output.ts';
import { noteNextPage, toPageQuery, type Page, type PageOptions } from './pages.ts';

export interface ApprovalsListOptions extends PageOptions {
  readonly status?: string;
  readonly mine?: boolean;
}

export interface Vote {
  readonly display: string;
  readonly decision: string;
  readonly comment: string | null;
  readonly at: string;
}

interface ApprovalRequest {
  readonly id: string;
  readonly status: string;
  readonly tool_name: string;
  readonly server: string;
  readonly summary: string;
  readonly reasoning: string | null;
  readonly arguments: unknown;
  readonly quorum: number;
  readonly votes: readonly Vote[];
  /** These three fields are missing in responses of an older service. */
  readonly quorum_reachable?: boolean | null;
  readonly stuck_reason?: string | null;
  readonly may_decide?: readonly string[];
  readonly rule: { readonly rule_name: string | null } | null;
  readonly requested_at: string;
  readonly expires_at: string;
  readonly comment: string | null;
}

const PATH = '/api/v1/approval-requests';
const WATCH_EVERY_MS = 2_000;
/** Maximum number of names of people who may decide that the service returns. */
const MOST_NAMES = 10;

/** Runs `steward approvals list`: lists requests, newest first. */
export async function runApprovalsList(
  context: CliContext,
  { json = false, ...options }: ApprovalsListOptions,
): Promise<void> {
  const { output } = context;
  const page = await listPage(createApiClient(context), options);
  if (json) return output.line(formatJson(page, 2));
  for (const request of page.items) output.line(describe(context, request));
  if (page.items.length === 0) {
    output.note(
      options.mine === true ? 'no requests that wait for your vote; omit --mine to list all requests' : 'no requests',
    );
  }
  noteNextPage(context, page);
}

/** Runs `steward approvals show`: shows the request, with the arguments. */
export async function runApprovalsShow(
  context: CliContext,
  id: string,
  { json = false }: { readonly json?: boolean },
): Promise<void> {
  const { output } = context;
  const request = await read(createApiClient(context), id);
  if (json) return output.line(formatJson(request, 2));
  output.line(describe(context, request));
  if (request.rule?.rule_name !== undefined) output.line(showSigns(`because: ${request.rule.rule_name ?? ''}`));
  if (request.reasoning !== null) output.line(showSigns(`the agent says: ${request.reasoning}`));
  for (const line of describeOutlook(request)) output.line(showSigns(line));
  output.line(showSigns(`arguments: ${JSON.stringify(request.arguments, undefined, 2)}`));
  for (const { display, decision, comment, at } of request.votes) {
    output.line(showSigns(`${formatMinute(at)}  ${display}: ${decision}${comment === null ? '' : `, ${comment}`}`));
  }
}

function describeOutlook({ votes, quorum, stuck_reason: stuck, may_decide: people = [] }: ApprovalRequest): string[] {
  if (stuck !== undefined && stuck !== null) return [stuck];
  if (people.length === 0) return [];
  const approvals = votes.filter(({ decision }) => decision === 'approve').length;
  const others = people.length >= MOST_NAMES ? ' and possibly others' : '';
  return [`may decide: ${people.join(', ')}${others} (${approvals} of ${quorum} approvals)`];
}

/** Runs `steward approvals approve` and `decline`. */
export async function runApprovalsDecide(
  context: CliContext,
  id: string,
  decision: 'approve' | 'decline',
  { comment }: { readonly comment?: string },
): Promise<void> {
  const path = `${PATH}/${encodeURIComponent(id)}/decide`;
  const body = { decision, ...(comment === undefined ? {} : { comment }) };
  const request = (await createApiClient(context).call('POST', path, { body })).body as unknown as ApprovalRequest;
  const { votes, quorum, status } = request;
  const missing = status === 'pending' ? `: ${votes.length} of ${quorum} approvals` : '';
  context.output.line(showSigns(`${request.id} is ${status}${missing}`));
}

/** Runs `steward approvals watch`: prints requests and decisions as they occur, until Ctrl-C. */
export async function runApprovalsWatch(
  context: CliContext,
  { mine = false, json = false }: { readonly mine?: boolean; readonly json?: boolean },
): Promise<void> {
  const { output, signal } = context;
  const client = createApiClient(context);
  const print = (request: ApprovalRequest): void =>
    output.line(json ? formatJson(request) : describe(context, request));
  const waiting = new Set<string>();
  try {
    while (!signal.aborted) {
      await look(client, { mine, waiting, print });
      await sleep(WATCH_EVERY_MS, undefined, { signal });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

async function look(
  client: ApiClient,
  watch: {
    readonly mine: boolean;
    /** Requests that were printed as pending and have not been decided since then. */
    readonly waiting: Set<string>;
    readonly print: (request: ApprovalRequest) => void;
  },
): Promise<void> {
  const { mine, waiting, print } = watch;
  const { items } = await listPage(client, { status: 'pending', mine, limit: 200 });
  for (const request of items.toReversed().filter(({ id }) => !waiting.has(id))) {
    print(request);
    waiting.add(request.id);
  }
  const pending = new Set(items.map(({ id }) => id));
  for (const id of [...waiting].filter((known) => !pending.has(known))) {
    const request = await read(client, id);
    // The request is not on the page or, with --mine, was decided by the user.
    if (request.status === 'pending') continue;
    print(request);
    waiting.delete(id);
  }
}

async function listPage(
  client: ApiClient,
  { status, mine, ...page }: ApprovalsListOptions,
): Promise<Page<ApprovalRequest>> {
  const query = new URLSearchParams({
    ...(status === undefined ? {} : { status }),
    ...(mine === true ? { mine: 'true' } : {}),
    ...toPageQuery(page),
  });
  const { body } = await client.call('GET', `${PATH}?${query.toString()}`);
  return body as unknown as Page<ApprovalRequest>;
}

async function read(client: ApiClient, id: string): Promise<ApprovalRequest> {
  return (await client.call('GET', `${PATH}/${encodeURIComponent(id)}`)).body as unknown as ApprovalRequest;
}

function describe({ output: { styles } }: CliContext, request: ApprovalRequest): string {
  const { id, status, summary, requested_at: at, expires_at: until, comment } = request;
  const stuck = request.quorum_reachable === false ? ', cannot be approved at present' : '';
  const end = status === 'pending' ? `until ${formatMinute(until)}${stuck}` : (comment ?? '');
  const text = showSigns(`${formatMinute(at)}  ${summary}${end === '' ? '' : `  (${end})`}`);
  const word =
    status === 'approved' ? styles.good(status) : status === 'pending' ? styles.bold(status) : styles.bad(status);
  return `${showSigns(id)}  ${word}  ${text}`;
}
