import { countNoun } from '@steward/text';
import { createApiClient } from '../api/api-client.ts';
import type { CliContext } from '../cli-context.ts';
import { refuse } from '../exit-codes.ts';
import { cleanText, formatJson, formatMinute } from '../output.ts';
import { readAll, readSecret } from '../read-input.ts';
import { noteNextPage, type Page } from './pages.ts';

export interface SecretsSeenOptions {
  readonly limit: number;
  readonly cursor?: string;
  readonly json?: boolean;
}

interface Sighting {
  readonly runtime_session_id: string;
  readonly session_title: string | null;
  readonly source_kind: string;
  readonly source_id: string;
  readonly occurred_at: string;
  readonly rule: string;
}

/**
 * Runs `steward secrets seen`: lists the sessions that contained a credential. The credential is read from standard
 * input, because arguments are visible in the process list.
 */
export async function runSecretsSeen(context: CliContext, options: SecretsSeenOptions): Promise<void> {
  const value = await readCredential(context);
  const { limit, cursor } = options;
  const { body } = await createApiClient(context).call('POST', '/api/v1/runtime-sessions/credential-sightings', {
    body: { value, limit, ...(cursor === undefined ? {} : { cursor }) },
    // A query changes nothing, so it is safe to repeat.
    retries: 4,
  });
  const { output } = context;
  const answer = body as unknown as Page<Sighting>;
  if (options.json === true) {
    output.line(formatJson(answer, 2));
    return;
  }
  for (const item of answer.items) {
    const when = formatMinute(item.occurred_at);
    output.line(
      cleanText(`${when}  ${item.runtime_session_id}  ${item.source_kind}  ${item.session_title ?? ''}`.trimEnd()),
    );
  }
  const sessions = new Set(answer.items.map((item) => item.runtime_session_id)).size;
  output.note(
    answer.items.length === 0
      ? 'not seen'
      : `seen in ${countNoun(answer.items.length, 'place')} in ${countNoun(sessions, 'session')} on this page`,
  );
  noteNextPage(context, answer);
}

/** Reads a line without showing it, or all of standard input, since a private key has many lines. */
async function readCredential(context: CliContext): Promise<string> {
  if (context.stdin.isTTY === true) return readSecret(context, 'Credential: ');
  const text = (await readAll(context)).toString('utf8').trim();
  if (text === '') throw refuse('The credential is read from standard input, which is empty.');
  context.output.keepSecret(text);
  return text;
}
