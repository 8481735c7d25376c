import { isFields, Pieces, readFields, type Assembly, type Fields } from './assembly.ts';
import type { TextBudget } from './collect-text.ts';

interface Choice {
  readonly message: Pieces;
  readonly tools: Map<unknown, { id: unknown; readonly text: Pieces }>;
  finish: unknown;
}

const TEXTS = ['content', 'reasoning_content', 'reasoning', 'refusal'];

/** Assembles responses of `chat/completions`: choices by index, with text and tool calls. */
export function assembleChat(budget: TextBudget): Assembly {
  const choices = new Map<unknown, Choice>();
  let error: unknown;
  const open = (index: unknown): Choice => {
    const choice = choices.get(index) ?? { message: new Pieces(budget), tools: new Map(), finish: null };
    choices.set(index, choice);
    return choice;
  };

  function addTool(choice: Choice, call: Fields): void {
    const tool = choice.tools.get(call['index']) ?? { id: call['id'], text: new Pieces(budget) };
    choice.tools.set(call['index'], tool);
    const named = readFields(call, 'function');
    tool.text.add('name', named['name']);
    tool.text.add('arguments', named['arguments']);
  }

  return {
    add(event) {
      error ??= event['error'];
      const list = Array.isArray(event['choices']) ? (event['choices'] as unknown[]) : [];
      for (const part of list.filter(isFields)) {
        const choice = open(part['index']);
        const delta = readFields(part, 'delta');
        for (const name of TEXTS) choice.message.add(name, delta[name]);
        const calls = Array.isArray(delta['tool_calls']) ? (delta['tool_calls'] as unknown[]) : [];
        for (const call of calls.filter(isFields)) addTool(choice, call);
        choice.finish = part['finish_reason'] ?? choice.finish;
      }
    },
    finish: () => ({
      choices: [...choices].map(([index, choice]) => ({
        index,
        message: { role: 'assistant', ...choice.message.join(), ...finishTools(choice) },
        finish_reason: choice.finish,
      })),
      ...(error === undefined || error === null ? {} : { error }),
    }),
  };
}

function finishTools({ tools }: Choice): Fields {
  if (tools.size === 0) return {};
  return { tool_calls: [...tools.values()].map(({ id, text }) => ({ id, type: 'function', function: text.join() })) };
}
