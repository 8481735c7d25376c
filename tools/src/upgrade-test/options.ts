import { parseOptions, valued } from '../options/parse-options.ts';
import { readCount } from '../options/read-numbers.ts';

export interface UpgradeOptions {
  /** Revision of the previous version; if undefined, that of the newest release tag. */
  readonly from: string | undefined;
  readonly to: string;
  /** Number of requests per second. */
  readonly rate: number;
  /** Seconds during which only the first version runs, and during which two versions of an app run side by side. */
  readonly beforeSeconds: number;
  readonly besideSeconds: number;
  /** Maximum time in seconds within which every event has to arrive after the traffic has ended. */
  readonly drainSeconds: number;
}

const HELP = `npm run upgrade-test [-- options]

Builds two revisions of this repository and starts the first on its own servers. Under mixed traffic it applies the migrations of
the second, replaces one app after the other with a period in which both versions run, and then returns to the first. Counts failed
requests, events that were lost or sent under two ids, and searches that missed stored content, and compares the p99 with that before
the upgrade. Requests are repeated only as docs/operate/upgrade.md requires. A process that starts gets only the processor time
that nothing else uses until it is ready (Linux, as root), as it would on another machine. Exits 1 if anything fails. Builds stay in
.local/upgrade-test for the next run.

  --from REV           revision to start with (the newest tag v*)
  --to REV             revision to upgrade to (HEAD); uncommitted changes are not included
  --rate N             requests per second (200)
  --before-seconds N   traffic before the upgrade (30)
  --beside-seconds N   how long two versions of an app run side by side (5)
  --drain-seconds N    maximum wait for events afterwards (120)`;

/** Reads the options; prints the help and ends the process if requested. */
export function readOptions(args: readonly string[]): UpgradeOptions {
  return parseOptions(args, {
    help: HELP,
    options: {
      from: { type: 'string' },
      to: valued('HEAD'),
      rate: valued('200'),
      'before-seconds': valued('30'),
      'beside-seconds': valued('5'),
      'drain-seconds': valued('120'),
    },
    read: (values) => ({
      from: values.from,
      to: values.to,
      rate: readCount('rate', values.rate),
      beforeSeconds: readCount('before-seconds', values['before-seconds']),
      besideSeconds: readCount('beside-seconds', values['beside-seconds'], 0),
      drainSeconds: readCount('drain-seconds', values['drain-seconds']),
    }),
  });
}
