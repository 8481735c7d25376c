import { readJson } from '../rules/clean-content.ts';
import { toCount, toFields, type Fields } from '../rules/json-access.ts';

const INPUT = [
  ...['gen_ai.usage.input_tokens', 'gen_ai.usage.prompt_tokens', 'llm.usage.prompt_tokens', 'llm.token_count.prompt'],
  ...['ai.usage.inputTokens', 'ai.usage.promptTokens'],
];
const OUTPUT = [
  ...['gen_ai.usage.output_tokens', 'gen_ai.usage.completion_tokens', 'llm.usage.completion_tokens'],
  ...['llm.token_count.completion', 'ai.usage.outputTokens', 'ai.usage.completionTokens'],
];
/** Objects written as JSON. */
const DETAILS = ['langfuse.observation.usage_details', 'mlflow.chat.tokenUsage'];

/** Tokens of a call, in whichever convention the span has them. */
export function readTokens(attributes: Fields) {
  const details = DETAILS.map((name) => toFields(readJson(attributes[name])));
  const find = (names: readonly string[], keys: readonly string[]): number | undefined =>
    toCount(...names.map((name) => attributes[name]), ...details.flatMap((each) => keys.map((key) => each[key])));
  return {
    inputTokens: find(INPUT, ['input', 'input_tokens', 'prompt_tokens', 'promptTokens', 'inputTokens']),
    outputTokens: find(OUTPUT, ['output', 'output_tokens', 'completion_tokens', 'completionTokens', 'outputTokens']),
  };
}
