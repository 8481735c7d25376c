import { once } from 'node:events';
import type { CliContext } from '../cli-context.ts';
import { EXIT, refuse } from '../exit-codes.ts';
import { cleanText, formatJson, type Output } from '../output.ts';
import { checkSignature, type SignatureCheck } from '../webhooks/check-signature.ts';
import { createEventMemory } from '../webhooks/event-memory.ts';
import { forwardRequest } from '../webhooks/forward-request.ts';
import { readForwardUrl } from '../webhooks/read-forward-url.ts';
import { readSigningSecrets } from '../webhooks/read-secrets.ts';
import { startListener, type Listener, type WebhookRequest } from '../webhooks/start-listener.ts';

export interface ListenOptions {
  readonly port: number;
  readonly host: string;
  readonly secret?: readonly string[] | string;
  readonly forwardTo?: string;
  readonly json?: boolean;
}

type Check = SignatureCheck | { readonly kind: 'unchecked' };

/**
 * Runs `steward webhooks listen --port`: starts a receiver for tests. Prints requests, and refuses those whose
 * signature is invalid.
 */
export async function runWebhooksListen(context: CliContext, options: ListenOptions): Promise<void> {
  const { output, signal } = context;
  const secrets = readSigningSecrets(options.secret, output);
  const forward = options.forwardTo === undefined ? undefined : readForwardUrl(options.forwardTo, '--forward-to');
  const seen = createEventMemory();
  const handle = async (request: WebhookRequest): Promise<number> => {
    const check: Check =
      secrets.length === 0 ? { kind: 'unchecked' } : checkSignature(request.body, request.headers, secrets);
    const eventId = readHeader(request, 'x-service-event-id');
    const repeated = check.kind !== 'invalid' && eventId !== '' && seen.has(eventId);
    // A request with an invalid signature must not reach the application behind the listener.
    const outcome =
      check.kind === 'invalid' || forward === undefined ? undefined : await forwardRequest(forward, request, signal);
    const status =
      check.kind === 'invalid' ? 401 : outcome === undefined ? 200 : outcome.kind === 'answered' ? outcome.status : 502;
    if (status < 300 && eventId !== '') seen.add(eventId);
    const note =
      outcome === undefined
        ? ''
        : outcome.kind === 'answered'
          ? `, forwarded: ${status}`
          : `, not forwarded: ${outcome.reason}`;
    print(output, request, { check, repeated, status, note, json: options.json === true });
    return status;
  };
  const listener = await start(options, handle);
  output.note(
    `listening on http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${listener.port}`,
  );
  if (secrets.length === 0)
    output.note('signatures are not checked: set STEWARD_WEBHOOK_SECRET to the endpoint’s secret');
  if (forward !== undefined) output.note(`forwarding to ${new URL(forward).origin}`);
  if (!signal.aborted) await once(signal, 'abort');
  await listener.close();
  // Ctrl-C is the normal way to end a listener, so it is not an error.
  context.setExitCode(EXIT.succeeded);
}

async function start(options: ListenOptions, handle: (request: WebhookRequest) => Promise<number>): Promise<Listener> {
  try {
    return await startListener(options, handle);
  } catch (error) {
    throw refuse(
      `cannot listen on ${options.host}:${options.port}: ${(error as Error).message} (choose another --port)`,
    );
  }
}

function readHeader({ headers }: WebhookRequest, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
}

interface Received {
  readonly check: Check;
  readonly repeated: boolean;
  readonly status: number;
  readonly note: string;
  readonly json: boolean;
}

function print(output: Output, request: WebhookRequest, received: Received): void {
  const { check, repeated, status } = received;
  const body = request.body.toString('utf8');
  if (received.json) {
    const facts = {
      received_at: new Date().toISOString(),
      event_id: readHeader(request, 'x-service-event-id'),
      event_type: readHeader(request, 'x-service-event-type'),
      delivery_id: readHeader(request, 'x-service-delivery-id'),
      attempt: Number(readHeader(request, 'x-service-attempt')) || null,
      signature: check.kind,
      ...(check.kind === 'invalid' ? { reason: check.reason } : {}),
      repeated,
      answered: status,
      body: parseBody(body),
    };
    output.line(formatJson(facts));
    return;
  }
  const { styles } = output;
  const type = readHeader(request, 'x-service-event-type');
  const attempt = readHeader(request, 'x-service-attempt');
  const verdict = {
    valid: styles.good('signature valid'),
    unchecked: 'signature not checked',
    invalid: styles.bad('signature INVALID'),
  }[check.kind];
  output.line(
    [
      styles.bold(cleanText(type === '' ? 'request' : type)),
      cleanText(readHeader(request, 'x-service-event-id')),
      attempt === '' ? '' : cleanText(`attempt ${attempt}`),
      verdict,
      repeated ? 'received before' : '',
      `responded with ${status}${received.note}`,
    ]
      .filter((part) => part !== '')
      .join('  '),
  );
  if (check.kind === 'invalid') output.line(`  ${check.reason}`);
  const parsed = parseBody(body);
  const text = typeof parsed === 'string' ? parsed : formatJson(parsed, 2);
  for (const line of cleanText(text).split('\n')) output.line(`  ${line}`);
}

function parseBody(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return body;
  }
}
