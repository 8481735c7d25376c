import { hashJson } from '@steward/crypto';
import { toPlainJson, toStorableJson } from '@steward/text';
import type { ToolDefinition } from '../tool.ts';

/** Maximum number of tools per server (LIM-61). */
export const MAX_TOOLS = 500;
const MAX_DEFINITION_BYTES = 128 * 1024;
/** The name pattern defined by the protocol. */
const NAME = /^[A-Za-z0-9_.-]{1,128}$/;

/** Maximum number of errors in the message about omitted tools. */
const MAX_FAULTS = 20;

export interface TakenDefinition {
  /** The parsed definition, in which numbers are JavaScript numbers. */
  readonly definition: ToolDefinition;
  /**
   * The definition as the server's original JSON string: keys in their original order, numbers in their original
   * notation.
   */
  readonly text: string;
  readonly hash: Buffer;
}

export interface AcceptedDefinitions {
  readonly taken: readonly TakenDefinition[];
  /** Message that states which tools were omitted, and why; null if no tool was omitted. */
  readonly fault: string | null;
}

/**
 * Selects the acceptable tools from a server's list, up to the maximum number: those that have a valid name and are not
 * too large; of several with the same name, the first one.
 * @param listed - the tools; numbers may be in their original notation (`parseExactJson`)
 * @param faultsBefore - messages about tools that were omitted earlier
 */
export function takeDefinitions(
  listed: readonly ToolDefinition[],
  faultsBefore: readonly string[] = [],
): AcceptedDefinitions {
  const taken = new Map<string, TakenDefinition>();
  const faults = new Set<string>(faultsBefore);
  for (const tool of listed) {
    const { name } = tool;
    if (taken.size === MAX_TOOLS) {
      faults.add(`tools beyond the first ${MAX_TOOLS} are omitted`);
      break;
    }
    if (!NAME.test(name)) faults.add('a tool is omitted because the protocol does not allow its name');
    else if (taken.has(name)) faults.add(`the tool ${name} is listed more than once`);
    // The size is checked before the conversion, which would traverse a large definition again.
    else if (Buffer.byteLength(JSON.stringify(tool)) > MAX_DEFINITION_BYTES)
      faults.add(`the tool ${name} is omitted because its definition exceeds 128 KiB`);
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
