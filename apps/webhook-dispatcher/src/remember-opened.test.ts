import { createSecretBox } from '@steward/runtime';
import { rememberOpened } from './remember-opened.ts';

const box = createSecretBox('a-secret-key-for-tests-only-0123456789', 'webhook-endpoint');

function createCounting() {
  let opens = 0;
  const counting = {
    ...box,
    open(ciphertext: Buffer, context: string) {
      opens += 1;
      return box.open(ciphertext, context);
    },
  };
  return { remembering: rememberOpened(counting), countOpens: () => opens };
}

describe('opened secrets', () => {
  it('are opened once however often they sign, and again after a rotation', () => {
    const { remembering, countOpens } = createCounting();
    const first = box.seal('whsec_first', 'endpoint-1');
    for (let post = 0; post < 3; post += 1)
      expect(remembering.open(Buffer.from(first), 'endpoint-1')).toBe('whsec_first');
    expect(countOpens()).toBe(1);
    expect(remembering.open(box.seal('whsec_second', 'endpoint-1'), 'endpoint-1')).toBe('whsec_second');
    expect(countOpens()).toBe(2);
  });

  it('do not open for another endpoint, whoever asked before', () => {
    const { remembering } = createCounting();
    const sealed = box.seal('whsec_first', 'endpoint-1');
    remembering.open(sealed, 'endpoint-1');
    expect(() => remembering.open(sealed, 'endpoint-2')).toThrow();
    // Nor is a failure remembered.
    expect(() => remembering.open(sealed, 'endpoint-2')).toThrow();
  });

  it('are forgotten, the oldest first, when there are too many', () => {
    const { remembering, countOpens } = createCounting();
    const sealed = Array.from({ length: 5001 }, (_, index) => box.seal(`whsec_${index}`, 'endpoint-1'));
    for (const one of sealed) remembering.open(one, 'endpoint-1');
    remembering.open(sealed[5000]!, 'endpoint-1');
    expect(countOpens()).toBe(5001);
    remembering.open(sealed[0]!, 'endpoint-1');
    expect(countOpens()).toBe(5002);
  });
});
