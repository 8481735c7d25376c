import { readFileSync } from 'node:fs';
import type { CliContext } from '../cli-context.ts';
import { EXIT, refuse } from '../exit-codes.ts';
import { readAll } from '../read-input.ts';
import { checkSignature } from '../webhooks/check-signature.ts';
import { readSigningSecrets } from '../webhooks/read-secrets.ts';

export interface VerifyCommandOptions {
  readonly body: string;
  readonly signature?: string;
  readonly secret?: readonly string[] | string;
  /** Maximum age of the request in seconds; if undefined, the age is not checked. */
  readonly tolerance: number;
  readonly ignoreAge?: boolean;
}

/**
 * Runs `steward webhooks verify`: verifies one captured request with a secret. The exit code is 0 if the signature is
 * valid, 1 if not.
 */
export async function runWebhooksVerify(context: CliContext, options: VerifyCommandOptions): Promise<void> {
  const { output } = context;
  const secrets = readSigningSecrets(options.secret, output);
  if (secrets.length === 0) throw refuse('No secret: set STEWARD_WEBHOOK_SECRET, or use --secret.');
  const signature = (options.signature ?? '').replace(/^x-service-signature:/i, '').trim();
  if (signature === '') throw refuse('No signature: use --signature, or set STEWARD_SIGNATURE.');
  const body = options.body === '-' ? await readAll(context) : readBody(options.body);
  const check = checkSignature(body, { 'x-service-signature': signature }, secrets, {
    toleranceSeconds: options.ignoreAge === true ? Number.POSITIVE_INFINITY : options.tolerance,
  });
  if (check.kind === 'valid') {
    output.line(`${output.styles.good('valid')}: ${body.length} bytes, signed at ${readSignedAt(signature)}`);
    return;
  }
  output.line(`${output.styles.bad('invalid')}: ${check.reason}`);
  context.setExitCode(EXIT.failed);
}

/** Reads the time from a verified header. */
function readSignedAt(signature: string): string {
  const seconds = Number(/(?:^|,)\s*t=(\d+)/.exec(signature)?.[1]);
  return new Date(seconds * 1000).toISOString();
}

function readBody(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw refuse(`--body ${path}: ${(error as Error).message}`);
  }
}
