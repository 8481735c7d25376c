import type { Command } from 'commander';
import { createApiClient } from '../api/api-client.ts';
import type { CliContext } from '../cli-context.ts';
import { cleanText, formatJson } from '../output.ts';

const PATH = '/api/v1/event-webhooks';

interface Attempt {
  readonly number: number;
  readonly started_at: string;
  readonly duration_ms: number;
  readonly response_status: number | null;
  readonly error: string | null;
  readonly answer?: string | null;
  readonly request_headers: Readonly<Record<string, string>> | null;
}

interface Delivery {
  readonly event_type: string;
  readonly event_id: string;
  readonly endpoint_id: string;
  readonly status: string;
  readonly attempts: readonly Attempt[];
}

/** Adds `steward webhooks` with `delivery`, `resend` and `example`; further commands are added to it. */
export function addDeliveries(program: Command, context: CliContext): Command {
  const webhooks = program.command('webhooks').description('receive, check and resend signed event webhooks');
  webhooks
    .command('delivery')
    .description('show a delivery, its attempts, and the headers that were sent with each attempt')
    .argument('<id>', 'id of the delivery')
    .option('--json', 'print the whole response as JSON')
    .action((id: string, options: { json?: boolean }) => runDelivery(context, id, options));
  webhooks
    .command('resend')
    .description('send an event again, to every endpoint to which it was sent or to one of them')
    .argument('<event>', 'id of the event')
    .option('--endpoint <id>', 'only to this endpoint')
    .action((event: string, options: { endpoint?: string }) => runResend(context, event, options));
  webhooks
    .command('example')
    .description('send a test event, or the example event of an event type, to one endpoint')
    .argument('<endpoint>', 'id of the endpoint')
    .argument('[type]', 'event type, such as session.ended (default: webhook.test)')
    .action((endpoint: string, type: string | undefined) => runExample(context, endpoint, type));
  return webhooks;
}

async function runDelivery(context: CliContext, id: string, options: { json?: boolean }): Promise<void> {
  const { body } = await createApiClient(context).call('GET', `${PATH}/deliveries/${encodeURIComponent(id)}`);
  const { output } = context;
  if (options.json === true) return output.line(formatJson(body, 2));
  const delivery = body as unknown as Delivery;
  output.line(
    cleanText(`${delivery.event_type}  ${delivery.status}  event ${delivery.event_id}  to ${delivery.endpoint_id}`),
  );
  for (const attempt of delivery.attempts) {
    const answer = attempt.response_status ?? attempt.error ?? 'no response';
    output.line(
      cleanText(`attempt ${attempt.number}  ${attempt.started_at}  ${answer} after ${attempt.duration_ms} ms`),
    );
    for (const [name, value] of Object.entries(attempt.request_headers ?? {}))
      output.line(cleanText(`  ${name}: ${value}`));
    if (typeof attempt.answer === 'string')
      for (const line of cleanText(attempt.answer).split('\n')) output.line(`  > ${line}`);
  }
}

async function runResend(context: CliContext, event: string, { endpoint }: { endpoint?: string }): Promise<void> {
  const { body } = await createApiClient(context).call(
    'POST',
    `${PATH}/deliveries/${encodeURIComponent(event)}/replay`,
    {
      body: endpoint === undefined ? {} : { endpoint_id: endpoint },
    },
  );
  const { delivery_ids: ids, skipped } = body as unknown as { delivery_ids: string[]; skipped: string[] };
  for (const id of ids) context.output.line(id);
  for (const id of skipped) context.output.note(`not sent to endpoint ${id}: it is inactive or deleted`);
}

async function runExample(context: CliContext, endpoint: string, type: string | undefined): Promise<void> {
  const { body } = await createApiClient(context).call(
    'POST',
    `${PATH}/endpoints/${encodeURIComponent(endpoint)}/test`,
    {
      body: type === undefined ? {} : { event_type: type },
    },
  );
  for (const id of (body as unknown as { delivery_ids: string[] }).delivery_ids) context.output.line(id);
}
