import { isFields, Pieces, readFields, type Assembly, type Fields } from './assembly.ts';
import type { TextBudget } from './collect-text.ts';

interface Item {
  whole: Fields | undefined;
  readonly text: Pieces;
  type: unknown;
  name: unknown;
}

/** Member that a delta belongs to, by the type of an event. */
const DELTAS: Readonly<Record<string, string>> = {
  'response.output_text.delta': 'text',
  'response.refusal.delta': 'refusal',
  'response.function_call_arguments.delta': 'arguments',
  'response.custom_tool_call_input.delta': 'input',
  'response.reasoning_text.delta': 'reasoning',
  'response.reasoning_summary_text.delta': 'reasoning',
};

/**
 * Assembles responses of `responses`: items by index. The event of a finished item contains the whole item, which
 * replaces its parts.
 */
export function assembleResponse(budget: TextBudget): Assembly {
  const items = new Map<unknown, Item>();
  let error: unknown;
  const open = (index: unknown): Item => {
    const item = items.get(index) ?? { whole: undefined, text: new Pieces(budget), type: 'message', name: undefined };
    items.set(index, item);
    return item;
  };
  return {
    add(event) {
      const type = String(event['type']);
      const name = DELTAS[type];
      if (name !== undefined) return open(event['output_index']).text.add(name, event['delta']);
      const item = readFields(event, 'item');
      if (type === 'response.output_item.added') {
        const opened = open(event['output_index']);
        opened.type = item['type'];
        opened.name = item['name'];
      } else if (type === 'response.output_item.done' && !budget.isUsedUp) {
        const { encrypted_content: _encrypted, ...whole } = item;
        const opened = open(event['output_index']);
        if (opened.text.isEmpty) budget.take(JSON.stringify(whole));
        opened.whole = whole;
      } else if (type === 'error') error = event;
      else if (type === 'response.failed') error = readFields(event, 'response')['error'];
    },
    finish: () => ({
      output: [...items.values()].map(({ whole, text, type, name }) => whole ?? { type, name, ...text.join() }),
      ...(isFields(error) ? { error } : {}),
    }),
  };
}
