import { setTimeout as delay } from 'node:timers/promises';
import { createApiClient, type ApiClient } from '../api/api-client.ts';
import { listAll } from '../api/list-all.ts';
import type { CliContext } from '../cli-context.ts';
import { CliError, EXIT, refuse } from '../exit-codes.ts';
import { cleanText, formatJson } from '../output.ts';
import { readSecret } from '../read-secret.ts';

export interface ChannelOptions {
  readonly urlEnv?: string;
  readonly tokenEnv?: string;
  readonly description?: string;
  readonly notices?: readonly string[];
  /** False removes the token. */
  readonly token?: boolean;
  readonly enable?: boolean;
  readonly disable?: boolean;
  readonly json?: boolean;
}

export interface TestOptions {
  readonly notice?: string;
  readonly json?: boolean;
}

interface Channel {
  readonly id: string;
  readonly kind: string;
  readonly description: string;
  readonly notices: readonly string[];
  readonly active: boolean;
  readonly circuit_state: string;
  readonly last_delivery_status: string | null;
  readonly last_error: string | null;
}

interface Delivery {
  readonly status: string;
  readonly attempts: readonly { readonly error: string | null; readonly answer: string | null }[];
}

const PATH = '/api/v1/notice-channels';
const URL_VARIABLE = 'STEWARD_NOTICE_URL';
const POLL_MS = 500;
/** Longer than one attempt may take. */
const ATTEMPT_WITHIN_MS = 45_000;

/** Runs `steward notices list`. */
export async function runNoticesList(
  context: CliContext,
  { json = false }: { readonly json?: boolean },
): Promise<void> {
  const { output } = context;
  const channels = await listAll<Channel>(createApiClient(context), PATH);
  // The address of a channel is a credential.
  if (json) return output.line(formatJson(channels.map(withoutAddress), 2));
  for (const channel of channels) output.line(describe(channel));
  if (channels.length === 0) output.note('no channels');
}

/** Runs `steward notices create`. */
export async function runNoticesCreate(
  context: CliContext,
  { kind, ...options }: ChannelOptions & { readonly kind: string },
): Promise<void> {
  const body = { kind, ...readFields(context, { ...options, urlEnv: options.urlEnv ?? URL_VARIABLE }) };
  print(context, (await createApiClient(context).call('POST', PATH, { body })).body, options);
}

/** Runs `steward notices update`. */
export async function runNoticesUpdate(context: CliContext, given: string, options: ChannelOptions): Promise<void> {
  const body = readFields(context, options);
  if (Object.keys(body).length === 0) throw refuse('Nothing to change: see --help for the settings.');
  const client = createApiClient(context);
  const { id } = await findChannel(client, given);
  print(context, (await client.call('PATCH', `${PATH}/${id}`, { body })).body, options);
}

/** Runs `steward notices test`: sends a notice and waits for its first attempt. */
export async function runNoticesTest(context: CliContext, given: string, options: TestOptions): Promise<void> {
  const { output } = context;
  const client = createApiClient(context);
  const { id } = await findChannel(client, given);
  const body = options.notice === undefined ? {} : { notice: options.notice };
  const { delivery_id: deliveryId } = (await client.call('POST', `${PATH}/${id}/test`, { body })).body;
  const delivery = await waitForAttempt(context, client, String(deliveryId));
  const isAccepted = delivery.status === 'delivered';
  if (!isAccepted) context.setExitCode(EXIT.failed);
  if (options.json === true) return output.line(formatJson(delivery, 2));
  const { error = null, answer = null } = delivery.attempts.at(-1) ?? {};
  const said = [error, answer].filter((text) => text !== null && text !== '').join(': ');
  output.line(cleanText(isAccepted ? 'accepted' : `not accepted: ${said}`));
}

/** Runs `steward notices delete`. */
export async function runNoticesDelete(context: CliContext, given: string): Promise<void> {
  const client = createApiClient(context);
  const { id } = await findChannel(client, given);
  await client.call('DELETE', `${PATH}/${id}`);
  context.output.note(`deleted ${id}`);
}

/** @throws refused if there is none, or if several have the description */
async function findChannel(client: ApiClient, given: string): Promise<Channel> {
  const channels = await listAll<Channel>(client, PATH);
  const found = channels.filter(({ id, description }) => id === given || description === given);
  if (found.length > 1)
    throw refuse(`${found.length} channels are called "${cleanText(given)}": use the id of one of them.`);
  const [channel] = found;
  if (channel === undefined) throw refuse(`There is no channel "${cleanText(given)}".`);
  return channel;
}

async function waitForAttempt({ signal }: CliContext, client: ApiClient, deliveryId: string): Promise<Delivery> {
  const deadline = Date.now() + ATTEMPT_WITHIN_MS;
  while (Date.now() < deadline) {
    const { body } = await client.call('GET', `/api/v1/event-webhooks/deliveries/${deliveryId}`);
    const delivery = body as unknown as Delivery;
    if (delivery.attempts.length > 0 || delivery.status !== 'pending') return delivery;
    await delay(POLL_MS, undefined, { signal });
  }
  throw new CliError(
    EXIT.timedOut,
    `The notice has not been sent yet. Check later with: steward webhooks delivery ${deliveryId}`,
  );
}

function readFields(context: CliContext, options: ChannelOptions): Record<string, unknown> {
  const { urlEnv, tokenEnv, description, notices, token, enable, disable } = options;
  return {
    ...(urlEnv === undefined ? {} : { url: readSecret(context, urlEnv) }),
    ...(tokenEnv === undefined ? {} : { token: readSecret(context, tokenEnv) }),
    ...(token === false ? { token: null } : {}),
    ...(description === undefined ? {} : { description }),
    ...(notices === undefined ? {} : { notices }),
    ...(enable === true ? { active: true } : {}),
    ...(disable === true ? { active: false } : {}),
  };
}

function print({ output }: CliContext, body: object, { json = false }: ChannelOptions): void {
  output.line(json ? formatJson(withoutAddress(body as Channel), 2) : describe(body as Channel));
}

function withoutAddress(channel: Channel): object {
  const { url: _url, ...rest } = channel as Channel & { readonly url: string };
  return rest;
}

function describe(channel: Channel): string {
  const { id, kind, description, notices, active, circuit_state: circuit, last_delivery_status: last } = channel;
  const state = !active ? 'disabled' : circuit === 'closed' ? 'active' : 'paused';
  const outcome = last === null ? 'no notice yet' : `last notice ${last}`;
  const error = channel.last_error === null ? '' : `: ${channel.last_error}`;
  return cleanText([id, kind, description, state, notices.join(', '), `${outcome}${error}`].join('  '));
}
