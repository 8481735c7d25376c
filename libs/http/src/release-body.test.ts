import { releaseBody } from './read-body.ts';

describe('a body that nobody needs any more', () => {
  it('gives its memory back', () => {
    const body = Buffer.allocUnsafeSlow(100_000);
    const memory = body.buffer;
    releaseBody(body);
    expect(memory.byteLength).toBe(0);
    expect(body).toHaveLength(0);
  });

  it('leaves memory alone that it shares with others', () => {
    const memory = Buffer.from('first second');
    releaseBody(memory.subarray(0, 5));
    releaseBody(memory);
    expect(memory.toString()).toBe('first second');
  });

  it('may be empty, or released before', () => {
    const body = Buffer.allocUnsafeSlow(100_000);
    releaseBody(body);
    expect(() => releaseBody(body)).not.toThrow();
    expect(() => releaseBody(Buffer.alloc(0))).not.toThrow();
  });
});
