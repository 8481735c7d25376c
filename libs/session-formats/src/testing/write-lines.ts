/** Returns a time this many seconds after the start of the minimal agent lines that this module builds. */
export const at = (seconds: number): string =>
  new Date(Date.parse('2026-08-01T10:00:00Z') + seconds * 1000).toISOString();
let uuid = 0;
export const claude = (fields: object) => ({ sessionId: 's', uuid: `u${(uuid += 1)}`, ...fields });
export const user = (seconds: number, content: unknown) =>
  claude({ type: 'user', timestamp: at(seconds), message: { role: 'user', content } });
export const answer = (seconds: number, id: string, content: unknown[], usage: object) =>
  claude({ type: 'assistant', timestamp: at(seconds), message: { id, role: 'assistant', content, usage } });
export const call = (id: string) => ({ type: 'tool_use', id, name: 'Bash', input: { command: 'ls' } });
export const result = (id: string) => [{ type: 'tool_result', tool_use_id: id, content: 'done' }];
export const enqueue = (seconds: number, content: string) => ({
  ...{ type: 'queue-operation', operation: 'enqueue', timestamp: at(seconds), sessionId: 's', content },
});
export const queued = (seconds: number, prompt: unknown, commandMode = 'prompt') =>
  claude({ type: 'attachment', timestamp: at(seconds), attachment: { type: 'queued_command', commandMode, prompt } });
export const codex = (seconds: number, type: string, payload: object) => ({ timestamp: at(seconds), type, payload });
export const meta = (seconds: number, id = 's') => codex(seconds, 'session_meta', { id, cwd: '/work/app' });
export const said = (role: string, text: string) => ({
  ...{ type: 'message', role, content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text }] },
});
export const item = (seconds: number, role: string, text: string) => codex(seconds, 'response_item', said(role, text));
export const event = (seconds: number, type: string, message: string) => codex(seconds, 'event_msg', { type, message });
