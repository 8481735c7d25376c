import { foldText, listBodies } from './entry-bodies.ts';

describe('the view of a timeline entry', () => {
  it('labels request and response', () => {
    expect(listBodies({ kind: 'tool_call', content: { arguments: { command: 'ls' }, result: 'a\nb' } })).toEqual([
      { name: 'arguments', text: '{\n  "command": "ls"\n}' },
      { name: 'result', text: 'a\nb' },
    ]);
  });

  it('shows a message unchanged, and nothing if it is empty', () => {
    expect(listBodies({ kind: 'transcript_message', content: '<b>hi</b>' })).toEqual([{ name: '', text: '<b>hi</b>' }]);
    expect(listBodies({ kind: 'gateway_interaction', content: { request: 'x', response: null } })).toHaveLength(1);
    expect(listBodies({ kind: 'flow_log', content: null })).toEqual([]);
  });

  it('never shows an image as encoded data', () => {
    const [body] = listBodies({
      kind: 'transcript_message',
      content: `look: data:image/png;base64,${'iVBO'.repeat(1000)}== there`,
    });
    expect(body?.text).toBe('look: [3.0 kB of base64-encoded data] there');
  });

  it('collapses a long body and shows how much is hidden', () => {
    expect(foldText('a'.repeat(4000))).toEqual({ shown: 'a'.repeat(4000) });
    expect(foldText('a'.repeat(104_000))).toEqual({ shown: 'a'.repeat(4000), hiddenSize: '100.0 kB' });
    expect(foldText(`${'a'.repeat(3999)}😀`).shown).toBe('a'.repeat(3999));
  });
});
