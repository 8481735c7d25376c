import { Pieces, readFields, type Assembly, type Fields } from './assembly.ts';
import type { TextBudget } from './collect-text.ts';

/** Member with the text, by the type of a delta. Signatures are omitted. */
const DELTAS: Readonly<Record<string, string>> = {
  text_delta: 'text',
  thinking_delta: 'thinking',
  input_json_delta: 'partial_json',
};

/** Assembles responses of `messages`: blocks by index. */
export function assembleMessage(budget: TextBudget): Assembly {
  const blocks = new Map<unknown, { readonly start: Fields; readonly text: Pieces }>();
  let stop: unknown = null;
  let error: unknown;
  const open = (index: unknown, start: Fields) => {
    const block = blocks.get(index) ?? { start, text: new Pieces(budget) };
    blocks.set(index, block);
    return block;
  };
  return {
    add(event) {
      switch (event['type']) {
        case 'content_block_start': {
          const { data: _data, signature: _signature, ...start } = readFields(event, 'content_block');
          budget.take(JSON.stringify(start));
          open(event['index'], start);
          return;
        }
        case 'content_block_delta': {
          const delta = readFields(event, 'delta');
          const name = DELTAS[String(delta['type'])];
          if (name !== undefined) open(event['index'], {}).text.add(name, delta[name]);
          return;
        }
        case 'message_delta':
          stop = readFields(event, 'delta')['stop_reason'] ?? stop;
          return;
        case 'error':
          error = event['error'];
      }
    },
    finish: () => ({
      role: 'assistant',
      content: [...blocks.values()].map(({ start, text }) => finishBlock(start, text.join())),
      stop_reason: stop,
      ...(error === undefined ? {} : { error }),
    }),
  };
}

function finishBlock(start: Fields, { partial_json: json, ...texts }: Record<string, string>): Fields {
  return { ...start, ...texts, ...(json === undefined ? {} : { input: parseInput(json) }) };
}

/**
 * Parses the arguments of a tool call. A stream that ended early contains only a part of them, which is returned as a
 * string.
 */
function parseInput(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}
