import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { createApiClient, type ApiClient } from '../api/api-client.ts';
import { describeRefusal, readAnswer } from '../api/answer.ts';
import type { CliContext } from '../cli-context.ts';
import { CliError, EXIT, refuse } from '../exit-codes.ts';
import { cleanText, formatJson } from '../output.ts';
import { createEventMemory } from '../webhooks/event-memory.ts';
import { forwardRequest, type ForwardOutcome } from '../webhooks/forward-request.ts';
import { readEventStream, StreamRefusal, type StreamedEvent } from '../webhooks/read-event-stream.ts';
import { readForwardUrl } from '../webhooks/read-forward-url.ts';
import { openListenerFile, requireAlone, type ListenerFile, type StoredListener } from '../webhooks/stored-listener.ts';

export interface StreamOptions {
  readonly forwardTo?: string;
  readonly events?: readonly string[];
  readonly name?: string;
  readonly skipMissed?: boolean;
  readonly printSecret?: boolean;
  readonly json?: boolean;
}

const PATH = '/api/v1/event-webhooks/listeners';
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;
/**
 * Maximum age of a signature. Receivers refuse a signature after five minutes, so an event that has waited longer than
 * this time is requested again.
 */
const FRESH_MS = 120_000;

/**
 * Runs `steward webhooks listen`: forwards events of the account from the service to this machine, which does not need
 * a public address.
 */
export async function runWebhooksStream(context: CliContext, options: StreamOptions): Promise<void> {
  const client = createApiClient(context);
  const name = options.name ?? hostname();
  const file = await openFile(context, client, name);
  const known = file.read();
  if (known !== undefined && options.printSecret !== true) requireAlone(known, { name, path: file.path });
  const stored = await ensureListener(context, client, { file, name, known, options });
  if (options.printSecret === true) return context.output.credential(stored.secret);
  const listening: Listening = {
    ...{ context, client, file, name, options, stored },
    forwardTo: options.forwardTo === undefined ? undefined : readForwardUrl(options.forwardTo, '--forward-to'),
    seen: createEventMemory(),
    isWaiting: false,
  };
  announce(listening);
  try {
    await listen(listening);
  } catch (error) {
    if (!context.signal.aborted) throw error;
  } finally {
    file.write({ ...listening.stored, pid: undefined });
  }
  // Ctrl-C is the normal way to end a listener, so it is not a failure.
  context.setExitCode(EXIT.succeeded);
}

async function openFile(context: CliContext, client: ApiClient, name: string): Promise<ListenerFile> {
  const { body } = await client.call('GET', '/api/v1/users/me');
  return openListenerFile(context.env, { url: client.url, accountId: String(body.account_id), name });
}

interface Wanted {
  readonly file: ListenerFile;
  readonly name: string;
  readonly known: StoredListener | undefined;
  readonly options: StreamOptions;
}

/**
 * Returns the listener of this name, with the requested types: the existing one if the service still has it, otherwise
 * a new one.
 */
async function ensureListener(context: CliContext, client: ApiClient, wanted: Wanted): Promise<StoredListener> {
  const { file, name, known, options } = wanted;
  const eventTypes = [...(options.events ?? [])].sort();
  const listens = options.printSecret !== true;
  if (known !== undefined) {
    context.output.keepSecret(known.secret);
    const answer = await readAnswer(
      // If only the secret is printed, the event types stay unchanged, since a process may be listening with this name.
      await client.send('PATCH', `${PATH}/${known.id}`, {
        body: listens ? { event_types: eventTypes } : {},
        retries: 4,
      }),
    );
    if (answer.status < 300) {
      const place = options.skipMissed === true ? undefined : known.place;
      const stored = { ...known, eventTypes, place, pid: process.pid };
      if (listens) file.write(stored);
      return stored;
    }
    if (answer.status !== 404) throw refuse(describeRefusal(answer));
    context.output.note('the previous listener was deleted on the server: creating another one with a new secret');
  }
  const { body } = await client.call('POST', PATH, {
    body: { event_types: eventTypes, description: cleanText(`${name}: steward webhooks listen`).slice(0, 500) },
  });
  const stored = {
    ...{ id: String(body.id), secret: String(body.secret), eventTypes },
    ...(listens ? { pid: process.pid } : {}),
  };
  context.output.keepSecret(stored.secret);
  file.write(stored);
  return stored;
}

interface Listening {
  readonly context: CliContext;
  readonly client: ApiClient;
  readonly file: ListenerFile;
  readonly name: string;
  readonly options: StreamOptions;
  readonly forwardTo: string | undefined;
  readonly seen: ReturnType<typeof createEventMemory>;
  stored: StoredListener;
  /** True if the program to which events are forwarded is not responding. */
  isWaiting: boolean;
}

function announce({ context, client, name, options, forwardTo, stored, file }: Listening): void {
  const { output } = context;
  const types = stored.eventTypes.length === 0 ? 'all events' : stored.eventTypes.join(', ');
  output.note(cleanText(`listening to ${types} of ${client.url} as "${name}"`));
  if (forwardTo !== undefined) output.note(`forwarding to ${new URL(forwardTo).origin}`);
  if (options.json === true) return output.note(`the signing secret is in ${file.path}`);
  output.note('signing secret, which stays the same for this name:');
  output.credential(stored.secret);
}

/** Reconnects until Ctrl-C or a refusal that is permanent. */
async function listen(listening: Listening): Promise<void> {
  const { context, options } = listening;
  let pauseMs = FIRST_PAUSE_MS;
  let skips = options.skipMissed === true;
  while (!context.signal.aborted) {
    const outcome = await listenOnce(listening, skips);
    if (outcome.took) skips = false;
    pauseMs = outcome.took ? FIRST_PAUSE_MS : Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    if (outcome.reason !== undefined)
      context.output.note(`${outcome.reason}; connecting again in ${(pauseMs / 1000).toFixed(1)} s`);
    await delay(pauseMs, undefined, { signal: context.signal });
  }
}

interface Connection {
  /** True if data was received. */
  readonly took: boolean;
  /** Reason why the connection ended; undefined if the service ended it normally. */
  readonly reason: string | undefined;
}

async function listenOnce(listening: Listening, skips: boolean): Promise<Connection> {
  const { context, client, stored } = listening;
  const path = `${PATH}/${stored.id}/events${skips ? '?from=now' : ''}`;
  let took = false;
  try {
    for await (const event of readEventStream(client, path, { place: stored.place, signal: context.signal })) {
      if (event.type !== 'ping' && !(await take(listening, event))) break;
      took = true;
      listening.stored = { ...listening.stored, place: event.id };
      listening.file.write(listening.stored);
    }
    return { took, reason: undefined };
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof StreamRefusal) return { took, reason: await mend(listening, error) };
    if (error instanceof CliError && error.exitCode === EXIT.refused) throw error;
    return { took, reason: (error as Error).message };
  }
}

/**
 * Reacts to a refusal of the stream, and prints a message.
 * @throws refused if nothing can be done
 */
async function mend(listening: Listening, { answer, message }: StreamRefusal): Promise<string> {
  const { context, client, file, name, options } = listening;
  if (answer.status >= 500 || answer.status === 429) return message;
  if (answer.status === 404) {
    listening.stored = await ensureListener(context, client, { file, name, known: listening.stored, options });
    announce(listening);
    return 'the listener was deleted: events since then are missing';
  }
  if (answer.status === 410 || answer.status === 422) {
    listening.stored = { ...listening.stored, place: undefined };
    return `${message} Events after the last received one may be missing`;
  }
  throw refuse(message);
}

interface SignedEvent {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Prints an event and forwards it, however long this takes. Returns false if its signature has become too old in the
 * meantime.
 */
async function take(listening: Listening, event: StreamedEvent): Promise<boolean> {
  const { context, forwardTo, seen } = listening;
  const { headers, body } = JSON.parse(event.data) as SignedEvent;
  const eventId = headers['X-Service-Event-Id'] ?? '';
  const repeated = seen.has(eventId);
  const startedAt = Date.now();
  const outcome =
    forwardTo === undefined ? undefined : await forward(listening, { ...event, headers, bytes: Buffer.from(body) });
  if (outcome === 'stale') return false;
  seen.add(eventId);
  print(listening, { type: event.type, eventId, body, repeated, outcome, tookMs: Date.now() - startedAt });
  context.signal.throwIfAborted();
  return true;
}

interface Forwarded extends StreamedEvent, Pick<SignedEvent, 'headers'> {
  readonly bytes: Buffer;
}

async function forward(listening: Listening, event: Forwarded): Promise<ForwardOutcome | 'stale'> {
  const { context, forwardTo = '' } = listening;
  const signedAt = Number(event.headers['webhook-timestamp']) * 1000;
  for (;;) {
    if (Date.now() - event.clockAheadMs - signedAt > FRESH_MS) return 'stale';
    const outcome = await forwardRequest(forwardTo, { headers: event.headers, body: event.bytes }, context.signal);
    context.signal.throwIfAborted();
    if (outcome.kind !== 'unreachable') {
      listening.isWaiting = false;
      return outcome;
    }
    if (!listening.isWaiting)
      context.output.note(`${new URL(forwardTo).origin} does not answer (${outcome.reason}): waiting for it`);
    listening.isWaiting = true;
    await delay(FIRST_PAUSE_MS, undefined, { signal: context.signal });
  }
}

interface Printed {
  readonly type: string;
  readonly eventId: string;
  readonly body: string;
  readonly repeated: boolean;
  readonly outcome: ForwardOutcome | undefined;
  readonly tookMs: number;
}

function print({ context, options }: Listening, { type, eventId, body, repeated, outcome, tookMs }: Printed): void {
  const { output } = context;
  const answered = outcome?.kind === 'answered' ? outcome.status : null;
  const parsed = JSON.parse(body) as unknown;
  if (options.json === true) {
    const facts = { received_at: new Date().toISOString(), event_id: eventId, event_type: type, repeated };
    return output.line(formatJson({ ...facts, answered, body: parsed }));
  }
  const { styles } = output;
  const said =
    outcome === undefined
      ? ''
      : outcome.kind === 'answered'
        ? (outcome.status < 300 ? styles.good : styles.bad)(`responded with ${outcome.status} in ${tookMs} ms`)
        : styles.bad(outcome.reason);
  const parts = [styles.bold(cleanText(type)), cleanText(eventId), repeated ? 'received before' : '', said];
  output.line(parts.filter((part) => part !== '').join('  '));
  // A program to which the event is forwarded prints its content itself.
  if (outcome !== undefined) return;
  for (const line of cleanText(formatJson(parsed, 2)).split('\n')) output.line(`  ${line}`);
}
