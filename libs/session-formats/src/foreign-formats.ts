import { isFields, toFields, toList, toText, type Fields } from './rules/json-access.ts';

/**
 * Known formats that are not supported: they are reported by name, so that users do not look for a fault in the file.
 */
const FOREIGN: readonly (readonly [name: string, isIt: (value: Fields) => boolean])[] = [
  ['ChatGPT export', ({ mapping }) => Object.values(toFields(mapping)).some((node) => 'parent' in toFields(node))],
  ['Claude.ai export', (value) => Array.isArray(value['chat_messages'])],
  ['Copilot session', isCopilot],
  ['Kiro session', (value) => toText(value['conversation_id']) !== undefined && Array.isArray(value['history'])],
  ['Antigravity transcript', (value) => typeof value['step_index'] === 'number' && 'source' in value],
  ['Cursor chat database', (value) => isFields(value['composer_data']) || 'composerId' in value],
  ['OpenCode files from before OpenCode used a database', isOldOpenCode],
  ['Pi session', (value) => value['type'] === 'session' && 'cwd' in value && toText(value['id']) !== undefined],
  ['Cline task', (value) => typeof value['ts'] === 'number' && ('say' in value || 'ask' in value)],
  ['Grok session', isGrok],
  ['Kimi session', (value) => value['type'] === 'config.update'],
];

/** Formats other than JSON, detected by the start of a line. */
const NO_JSON: readonly (readonly [name: string, isIt: (record: string) => boolean])[] = [
  ['Aider history', (record) => /^(?:# aider chat started at|#### )/.test(record)],
  ['SQLite database', (record) => record.startsWith('SQLite format 3')],
  ['gzip or zstd', (record) => record.startsWith('\u001f\ufffd') || record.startsWith('(\ufffd/\ufffd')],
  // In UTF-16, every other byte of ASCII text is zero.
  ['UTF-16', (record) => record.slice(0, 8).split('\u0000').length > 3],
];

/** Names under which the unsupported formats are counted. */
export const FOREIGN_FORMATS: ReadonlySet<string> = new Set([...FOREIGN, ...NO_JSON].map(([name]) => name));

/** Returns the name of the record's format if it is a known unsupported one. */
export function nameForeign(value: unknown): string | undefined {
  return isFields(value) ? FOREIGN.find(([, isIt]) => isIt(value))?.[0] : undefined;
}

export function nameNoJson(record: string): string | undefined {
  return NO_JSON.find(([, isIt]) => isIt(record))?.[0];
}

function isCopilot(value: Fields): boolean {
  const type = toText(value['type']) ?? '';
  if (/^(?:session|user|assistant|tool)\.[a-z_.]+$/.test(type)) return true;
  if (/^(?:userpromptsubmitted|assistantresponse)$/.test(type)) return true;
  return toList(value['history']).some((turn) => toFields(turn)['role'] === 'human');
}

/**
 * Returns whether a record is a session, a message or a part in a separate file, as written by earlier versions of
 * OpenCode.
 */
function isOldOpenCode(value: Fields): boolean {
  if (toText(value['directory']) !== undefined && toText(value['projectID']) !== undefined) return true;
  if (toText(value['messageID']) !== undefined && toText(value['type']) !== undefined) return true;
  return toText(value['sessionID']) !== undefined && isFields(value['time']) && !('content' in value);
}

function isGrok(value: Fields): boolean {
  const isTurn = value['type'] === 'user' && ('prompt_index' in value || 'synthetic_reason' in value);
  return isTurn || (value['type'] === 'backend_tool_call' && isFields(value['kind']));
}
