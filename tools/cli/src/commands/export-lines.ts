import { open, type FileHandle } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { createApiClient } from '../api/api-client.ts';
import { describeRefusal, readAnswer } from '../api/answer.ts';
import type { CliContext } from '../cli-context.ts';
import { CliError, EXIT, refuse } from '../exit-codes.ts';

/** Time limit of an export, long enough for a large one over a slow connection. */
const EXPORT_WITHIN_MS = 3_600_000;

/**
 * Exports JSON lines: to a new file that only its owner can read, unchanged, or to standard output, without
 * credentials.
 *
 * @throws timed out for an incomplete export
 */
export async function runExport(context: CliContext, path: string, file: string | undefined): Promise<void> {
  if (file === undefined) {
    for await (const line of requestLines(context, path)) context.output.line(line);
    return;
  }
  const lines = requestLines(context, path);
  const first = await lines.next();
  const target = await openFile(file);
  try {
    if (first.done !== true) await target.appendFile(`${first.value}\n`);
    for await (const line of lines) await target.appendFile(`${line}\n`);
  } finally {
    await target.close();
  }
}

/**
 * Requests the lines of an export.
 * @throws refused by the service; timed out if the last line is not the end of the export
 */
export async function* requestLines(context: CliContext, path: string): AsyncGenerator<string> {
  const response = await createApiClient(context).send('GET', path, {
    headers: { accept: 'application/x-ndjson' },
    timeoutMs: EXPORT_WITHIN_MS,
  });
  if (!response.ok || response.body === null)
    throw new CliError(EXIT.refused, describeRefusal(await readAnswer(response)));
  let last = '';
  try {
    const input = Readable.fromWeb(response.body as ReadableStream);
    for await (const line of createInterface({ input, crlfDelay: Infinity })) {
      yield line;
      last = line;
    }
  } catch (error) {
    throw new CliError(EXIT.timedOut, 'The export was interrupted. Try again.', { cause: error });
  }
  if (!last.startsWith('{"record":"end"')) throw new CliError(EXIT.timedOut, 'The export was interrupted. Try again.');
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'w', 0o600);
  } catch (error) {
    throw refuse(`${path} cannot be written: ${(error as Error).message}`);
  }
}
