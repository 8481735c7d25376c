import { readFileSync } from 'node:fs';
import type { CliContext } from '../cli-context.ts';
import { EXIT, refuse } from '../exit-codes.ts';
import { readAll } from '../read-input.ts';
import { SIGNATURE_HEADER, verifySignature } from '../verify-signature.ts';
import { readSigningSecrets } from '../webhooks/read-secrets.ts';

export interface VerifyCommandOptions {
  readonly body: string;
  readonly signature?: string;
  readonly secret?: readonly string[] | string;
  /** Seconds; undefined checks no age. */
  readonly tolerance: number;
  readonly ignoreAge?: boolean;
}

/** `steward webhooks verify`: one captured request against a secret. Exit code 0 when it verifies, 1 when not. */
export async function runWebhooksVerify(context: CliContext, options: VerifyCommandOptions): Promise<void> {
  const { output } = context;
  const secrets = readSigningSecrets(options.secret, output);
  if (secrets.length === 0) throw refuse('No secret: set STEWARD_WEBHOOK_SECRET, or give --secret.');
  const signature = (options.signature ?? '').replace(/^x-service-signature:/i, '').trim();
  if (signature === '') throw refuse('No signature: give --signature, or set STEWARD_SIGNATURE.');
  const body = options.body === '-' ? await readAll(context) : readBody(options.body);
  const verification = verifySignature(body, { [SIGNATURE_HEADER]: signature }, secrets, {
    toleranceSeconds: options.ignoreAge === true ? Number.POSITIVE_INFINITY : options.tolerance,
  });
  if (verification.kind === 'valid') {
    output.line(
      `${output.styles.good('valid')}: ${body.length} bytes, signed at ${verification.timestamp.toISOString()}`,
    );
    return;
  }
  output.line(`${output.styles.bad('invalid')}: ${verification.reason}`);
  context.setExitCode(EXIT.failed);
}

function readBody(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw refuse(`--body ${path}: ${(error as Error).message}`);
  }
}
