import type { CallToolResult } from '@modelcontextprotocol/client';
import { isTemporary, readRequestId, readWaiting } from './read-tool-result.ts';

const refusal: CallToolResult = {
  content: [],
  isError: true,
  structuredContent: { refused: true, reason: 'unavailable', detail: 'down' },
};
const pending = { status: 'pending_approval', approval_request_id: 'r1' };

describe('results of tool calls (EXEC-24)', () => {
  it.each<[string, CallToolResult, string | undefined]>([
    ['a held call', { content: [], structuredContent: pending }, 'r1'],
    [
      'a held call of a tool with an output schema',
      { content: [{ type: 'text', text: JSON.stringify(pending) }], isError: true },
      'r1',
    ],
    ['a call that is being made', { content: [], structuredContent: { ...pending, status: 'running' } }, 'r1'],
    ['an approved question', { content: [], structuredContent: { status: 'approved', answer: 'yes' } }, undefined],
    ['a refusal', refusal, undefined],
  ])('name the request that %s waits for', (_what, result, requestId) => {
    expect(readWaiting(result)).toEqual(requestId === undefined ? undefined : { requestId });
  });

  it('name the request that was found, whatever its status (TOOL-34)', () => {
    const found = { content: [], structuredContent: { status: 'declined', approval_request_id: 'r1' } };
    expect([readRequestId(found), readRequestId(refusal)]).toEqual(['r1', undefined]);
  });

  it('are final if a tool itself returned what looks like a temporary refusal (TOOL-34)', () => {
    expect(isTemporary(refusal)).toBe(false);
    expect(isTemporary({ ...refusal, _meta: { 'steward/may_repeat': true } })).toBe(true);
  });
});
