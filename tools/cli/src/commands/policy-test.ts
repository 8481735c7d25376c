import { readAnswer } from '../api/answer.ts';
import { createApiClient } from '../api/api-client.ts';
import type { CliContext } from '../cli-context.ts';
import { refuse } from '../exit-codes.ts';
import { cleanText, formatJson } from '../output.ts';
import { readAll } from '../read-input.ts';
import { POLICIES_PATH } from './policy.ts';
import { failUnlessDone, readPolicyFile } from './policy-file.ts';

export interface PolicyTestOptions {
  readonly arguments?: string;
  readonly file?: string;
  readonly agentKind?: string;
  readonly agentTag?: readonly string[];
  readonly json?: boolean;
}

interface Trace {
  readonly id: string;
  readonly matched: boolean;
  readonly condition_value: boolean | null;
  readonly error: string | null;
}

/** Runs `steward policy test`: prints the decision, and the result of every rule. */
export async function runPolicyTest(context: CliContext, tool: string, options: PolicyTestOptions): Promise<void> {
  const slash = tool.indexOf('/');
  const file = options.file === undefined ? undefined : await readPolicyFile(context, options.file);
  const { agentKind: kind, agentTag: tags } = options;
  const agent = { ...(kind === undefined ? {} : { kind }), ...(tags === undefined ? {} : { tags }) };
  const body = {
    tool_name: tool.slice(slash + 1),
    ...(slash === -1 ? {} : { server: tool.slice(0, slash) }),
    arguments: await readArguments(context, options.arguments),
    ...(Object.keys(agent).length === 0 ? {} : { agent }),
    ...(file === undefined ? {} : { document: Buffer.from(file.bytes).toString('utf8') }),
  };
  const answer = await readAnswer(await createApiClient(context).send('POST', `${POLICIES_PATH}/test`, { body }));
  failUnlessDone(context, answer, file);
  const { output } = context;
  if (options.json === true) return output.line(formatJson(answer.body, 2));
  const { decision, rule, rule_description: words, condition_error: error } = answer.body;
  const by = rule === null ? '' : ` by ${(rule as { readonly id: string }).id}`;
  output.line(cleanText(`${String(decision)}${by}: ${String(words)}`));
  if (typeof error === 'string')
    output.line(cleanText(`  the condition of the rule could not be evaluated and counts as matched: ${error}`));
  for (const each of answer.body.trace as readonly Trace[]) output.note(cleanText(`  ${describe(each)}`));
}

function describe({ id, matched, condition_value: value, error }: Trace): string {
  if (error !== null)
    return `${id}: condition could not be evaluated (${error}), ${matched ? 'counts as matched' : 'not matched'}`;
  if (matched) return `${id}: matched`;
  return value === false ? `${id}: condition is false` : `${id}: does not apply to this call`;
}

async function readArguments(context: CliContext, text = '{}'): Promise<unknown> {
  const json = text === '-' ? (await readAll(context)).toString('utf8') : text;
  try {
    return JSON.parse(json) as unknown;
  } catch {
    throw refuse('--arguments is not JSON.');
  }
}
