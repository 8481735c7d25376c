import { InvalidArgumentError, type Command } from 'commander';
import type { CliContext } from '../cli-context.ts';
import { readInteger } from '../read-integer.ts';
import {
  runAuditExport,
  runAuditVerify,
  type AuditExportOptions,
  type AuditVerifyOptions,
  type Head,
} from './audit.ts';

/** Adds `steward audit …`. */
export function addAudit(program: Command, context: CliContext): void {
  const audit = program.command('audit').description('export the audit log, and verify that nobody changed it');
  audit
    .command('export')
    .description('export the entries and seals of the audit log as JSON lines, oldest first')
    .option('--output <file>', 'write to this file (default: standard output); a new file is readable only by you')
    .option(
      '--after <number>',
      'only entries and seals after the seal with this number',
      readInteger(0, Number.MAX_SAFE_INTEGER),
    )
    .action((options: AuditExportOptions) => runAuditExport(context, options));
  audit
    .command('verify')
    .description(
      'compute the digests of all entries again and compare them with the seals; exit with 1 if they differ. The command prints the head (the newest seal): store it where operators of the service cannot change it',
    )
    .argument('[files...]', 'exported files, in order (default: the log is read from the service)')
    .option(
      '--head <number:digest>',
      'head (newest seal) printed by an earlier verification; the verification fails if the log neither contains this seal nor begins directly after it',
      readHead,
    )
    .action((files: readonly string[], options: AuditVerifyOptions) => runAuditVerify(context, files, options));
}

function readHead(text: string): Head {
  const [, number = '', digest = ''] = /^([1-9]\d{0,15}):([\da-f]{64})$/.exec(text) ?? [];
  if (digest === '')
    throw new InvalidArgumentError('The value must be the number of a seal, a colon and its digest in hex.');
  return { number: Number(number), digest };
}
