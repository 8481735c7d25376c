import { hashJson } from '@steward/crypto';
import { toPlainJson, toStorableJson } from '@steward/text';
import type { ToolDefinition } from '../tool.ts';

/** LIM-61. */
export const MAX_TOOLS = 500;
const MAX_DEFINITION_BYTES = 128 * 1024;
/** As the protocol has it. */
const NAME = /^[A-Za-z0-9_.-]{1,128}$/;

/** Of what was left out: what operators read of it is one text. */
const MAX_FAULTS = 20;

export interface TakenDefinition {
  /** With numbers as they are read. */
  readonly definition: ToolDefinition;
  /** As the server wrote it: keys in its order, numbers as they were written. */
  readonly text: string;
  readonly hash: Buffer;
}

export interface TakenDefinitions {
  readonly taken: readonly TakenDefinition[];
  /** What was left out and why; null when nothing was. */
  readonly fault: string | null;
}

/**
 * Of what a server lists, what can be kept: tools with a proper name, each once, not too large and not too many.
 * @param listed - Numbers may be as they were written (`parseExactJson`)
 * @param faultsBefore - Of what was left out already
 */
export function takeDefinitions(
  listed: readonly ToolDefinition[],
  faultsBefore: readonly string[] = [],
): TakenDefinitions {
  const taken = new Map<string, TakenDefinition>();
  const faults = new Set<string>(faultsBefore);
  for (const tool of listed) {
    const { name } = tool;
    if (taken.size === MAX_TOOLS) {
      faults.add(`tools beyond the first ${MAX_TOOLS} are left out`);
      break;
    }
    if (!NAME.test(name)) faults.add('a tool is left out because the protocol does not allow its name');
    else if (taken.has(name)) faults.add(`the tool ${name} is listed more than once`);
    // First: what is too large would be walked through twice.
    else if (Buffer.byteLength(JSON.stringify(tool)) > MAX_DEFINITION_BYTES)
      faults.add(`the tool ${name} is left out because its description is above 128 KiB`);
    else {
      const exact = toStorableJson(tool);
      const definition = toPlainJson(exact) as ToolDefinition;
      taken.set(name, { definition, text: JSON.stringify(exact), hash: hashJson(definition) });
    }
  }
  return { taken: [...taken.values()], fault: faults.size === 0 ? null : describeFaults([...faults]) };
}

function describeFaults(faults: readonly string[]): string {
  const told = faults.slice(0, MAX_FAULTS);
  return [...told, ...(faults.length > MAX_FAULTS ? [`and ${faults.length - MAX_FAULTS} more`] : [])].join('; ');
}
