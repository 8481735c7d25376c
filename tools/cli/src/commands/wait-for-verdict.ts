import type { ApiClient } from '../api/api-client.ts';
import type { CliContext } from '../cli-context.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { cleanText, formatJson, type Output } from '../output.ts';
import { followExecution, type Execution, type LogLine } from '../trigger/follow-execution.ts';

export interface WaitOptions {
  /** Time limit of the wait, in seconds. */
  readonly timeout: number;
  readonly logs: boolean;
  readonly json?: boolean;
  readonly stopOnInterrupt?: boolean;
}

/** Streams the log until the execution ends, prints the verdict and sets the exit code. */
export async function waitForVerdict(
  context: CliContext,
  client: ApiClient,
  executionId: string,
  options: WaitOptions,
): Promise<void> {
  const { output } = context;
  const deadline = AbortSignal.timeout(options.timeout * 1000);
  const signal = AbortSignal.any([context.signal, deadline]);
  // With --json, standard output contains exactly one document.
  const print = options.json === true ? output.note : output.line;
  try {
    const execution = await followExecution(client, executionId, {
      signal,
      ...(options.logs ? { onLine: (line: LogLine) => print(formatLogLine(output, line)) } : {}),
    });
    report(context, execution, options);
  } catch (error) {
    if (context.signal.aborted) await leaveRunning(context, client, executionId, options);
    if (deadline.aborted) {
      const message = `No verdict after ${options.timeout} s; the execution continues. Wait again: steward flow wait ${executionId}`;
      throw new CliError(EXIT.timedOut, message, { cause: error });
    }
    throw error;
  }
}

/**
 * Formats a line of the log, which never begins with text that a CI system could mistake for a command, such as
 * GitHub's `::`.
 */
function formatLogLine({ styles }: Output, { step, text }: LogLine): string {
  const label = styles.dim(`${(step ?? '').padEnd(9)} |`);
  return cleanText(text)
    .split('\n')
    .map((part) => `${label} ${part}`)
    .join('\n');
}

function report(context: CliContext, execution: Execution, options: WaitOptions): void {
  const { output } = context;
  const { styles } = output;
  const succeeded = execution.status === 'SUCCEEDED';
  context.setExitCode(succeeded ? EXIT.succeeded : EXIT.failed);
  if (options.json === true) {
    output.line(formatJson(execution));
    return;
  }
  const category = execution.failure_category === null ? '' : ` (${execution.failure_category})`;
  const verdict = succeeded ? styles.good(execution.status) : styles.bad(`${execution.status}${category}`);
  output.line(`${verdict}${describeDuration(execution)}`);
  if (execution.error_message !== null) output.note(cleanText(execution.error_message));
  if (execution.result !== null) output.line(cleanText(formatJson(execution.result, 2)));
}

function describeDuration({ started_at: started, finished_at: finished }: Execution): string {
  if (started === null || finished === null) return '';
  return ` after ${((Date.parse(finished) - Date.parse(started)) / 1000).toFixed(1)} s`;
}

const STOP_WITHIN_MS = 5000;

async function leaveRunning(
  { output }: CliContext,
  client: ApiClient,
  executionId: string,
  options: WaitOptions,
): Promise<void> {
  if (options.stopOnInterrupt !== true) {
    output.note(`interrupted; the execution continues. Wait again: steward flow wait ${executionId}`);
    return;
  }
  try {
    const signal = AbortSignal.timeout(STOP_WITHIN_MS);
    await client.call('POST', `/api/v1/flows/executions/${executionId}/stop`, { signal });
    output.note(`interrupted; execution ${executionId} is being stopped`);
  } catch (error) {
    output.note(`interrupted; execution ${executionId} could not be stopped: ${(error as Error).message}`);
  }
}
