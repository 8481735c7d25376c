import { Option, type Command } from 'commander';
import type { CliContext } from '../cli-context.ts';
import { refuse } from '../exit-codes.ts';
import { readInteger } from '../read-integer.ts';
import { readList } from '../read-list.ts';
import { addDeliveries } from './webhooks-deliveries.ts';
import { runWebhooksListen } from './webhooks-listen.ts';
import { addPortalLinks } from './webhooks-portal-links.ts';
import { runWebhooksStream, type StreamOptions } from './webhooks-stream.ts';
import { runWebhooksVerify, type VerifyCommandOptions } from './webhooks-verify.ts';

export function addWebhooks(program: Command, context: CliContext): void {
  const webhooks = addDeliveries(program, context);
  addListen(webhooks, context);
  addPortalLinks(webhooks, context);
  webhooks
    .command('verify')
    .description('check one captured request')
    .option('--body <path>', 'raw body; "-" reads standard input', '-')
    .addOption(new Option('--signature <header>', 'value of X-Service-Signature').env('STEWARD_SIGNATURE'))
    .addOption(secretOption())
    .option('--tolerance <seconds>', 'maximum clock difference in seconds', readInteger(0, 1_000_000_000), 300)
    .option('--ignore-age', 'accept a signature of any age')
    .action((options: VerifyCommandOptions) => runWebhooksVerify(context, options));
}

function secretOption(): Option {
  return new Option(
    '--secret <secret...>',
    'signing secret (whsec_...); better in the environment variable, because arguments are visible to other users',
  ).env('STEWARD_WEBHOOK_SECRET');
}

interface ListenFlags extends StreamOptions {
  readonly port?: number;
  readonly host: string;
  readonly secret?: readonly string[] | string;
  readonly forward?: string;
}

function addListen(webhooks: Command, context: CliContext): void {
  webhooks
    .command('listen')
    .description('print the events of the account as they happen, until Ctrl-C; this machine needs no public address')
    .option('--forward-to <url>', 'forward each event to this URL, signed and unchanged, and print the response')
    .option('--events <types>', 'only these event types, separated by commas (default: all)', readList)
    .option(
      '--name <name>',
      'name of the listener; its position in the stream and its secret are stored under this name (default: the host’s name)',
    )
    .option('--skip-missed', 'start with the next event instead of where the last listener with this name stopped')
    .option('--print-secret', 'print the signing secret of the listener with this name, and exit')
    .option('--port <port>', 'wait for deliveries on this port instead; 0 chooses a free one', readInteger(0, 65_535))
    .option('--host <address>', 'with --port: address to listen on', '127.0.0.1')
    .addOption(secretOption())
    .addOption(new Option('--forward <url>', 'the former name of --forward-to').hideHelp())
    .option('--json', 'print each event as one line of JSON')
    .addHelpText(
      'after',
      `
After the first start with a name, the service stores the events for the listener even while the
command is not running: for three days, at most 100,000 events. The next start with this name
receives them first.

Examples:
  steward webhooks listen --forward-to http://localhost:3000/hooks
  steward webhooks listen --events session.ended,approval.created --json
  steward webhooks listen --port 9000     # receive deliveries of a service on this machine`,
    )
    .action((flags: ListenFlags) => {
      const forwardTo = flags.forwardTo ?? flags.forward;
      const options = { ...flags, ...(forwardTo === undefined ? {} : { forwardTo }) };
      if (flags.port === undefined) return runWebhooksStream(context, options);
      if (flags.events !== undefined || flags.skipMissed === true || flags.printSecret === true)
        throw refuse('--events, --skip-missed and --print-secret cannot be used with --port.');
      return runWebhooksListen(context, { ...options, port: flags.port });
    });
}
