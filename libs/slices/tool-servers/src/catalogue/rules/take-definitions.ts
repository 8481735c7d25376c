import { hashJson } from '@steward/crypto';
import { toStorableJson } from '@steward/text';
import type { ToolDefinition } from '../tool.ts';

/** LIM-61. */
export const MAX_TOOLS = 500;
const MAX_DEFINITION_BYTES = 128 * 1024;
/** As the protocol has it. */
const NAME = /^[A-Za-z0-9_.-]{1,128}$/;

export interface TakenDefinition {
  readonly definition: ToolDefinition;
  readonly hash: Buffer;
}

export interface TakenDefinitions {
  readonly taken: readonly TakenDefinition[];
  /** What was left out and why; null when nothing was. */
  readonly fault: string | null;
}

/** Of what a server lists, what can be kept: tools with a proper name, each once, not too large and not too many. */
export function takeDefinitions(listed: readonly ToolDefinition[]): TakenDefinitions {
  const taken = new Map<string, TakenDefinition>();
  const faults = new Set<string>();
  for (const tool of listed) {
    const { name } = tool;
    if (taken.size === MAX_TOOLS) {
      faults.add(`of more than ${MAX_TOOLS} tools the rest is left out`);
      break;
    }
    if (!NAME.test(name)) faults.add('a tool whose name the protocol does not allow is left out');
    else if (taken.has(name)) faults.add(`the tool ${name} is listed more than once`);
    // First: what is too large would be walked through twice.
    else if (Buffer.byteLength(JSON.stringify(tool)) > MAX_DEFINITION_BYTES)
      faults.add(`the tool ${name} is left out: its description is above 128 KiB`);
    else {
      const definition = toStorableJson(tool) as ToolDefinition;
      taken.set(name, { definition, hash: hashJson(definition) });
    }
  }
  return { taken: [...taken.values()], fault: faults.size === 0 ? null : [...faults].join('; ') };
}
