import type { Notice } from '../notices/notice.ts';
import { describeMessage, MAX_MESSAGE_BYTES } from './describe-message.ts';

const describeFacts = (value: string) => {
  const facts: Notice['facts'] = ['Summary', 'Agent', 'Rule', 'Comment'].map((label) => [label, value]);
  return describeMessage('event', { title: 'Approval needed: deploy', facts, path: '/approvals/1', urgency: 'high' });
};
const read = (message: string) => JSON.parse(message) as { title: string; body: string; path: string; tag: string };

describe('a message for a browser (NTC-9)', () => {
  it('has every fact, each in a line of its own', () => {
    expect(read(describeFacts('x'))).toEqual({
      ...{ title: 'Approval needed: deploy', path: '/approvals/1', tag: 'event' },
      body: 'Summary: x\nAgent: x\nRule: x\nComment: x',
    });
  });

  it.each(['😀', '審', '"', '\n'])('is cut between characters to what push services accept: %j', (character) => {
    const message = describeFacts(character.repeat(600));
    expect(Buffer.byteLength(message)).toBeLessThanOrEqual(MAX_MESSAGE_BYTES);
    const { title, body } = read(message);
    expect(title).toBe('Approval needed: deploy');
    expect(body.startsWith(`Summary: ${character}`)).toBe(true);
    expect(body.endsWith('…')).toBe(true);
    expect(body.isWellFormed()).toBe(true);
  });
});
