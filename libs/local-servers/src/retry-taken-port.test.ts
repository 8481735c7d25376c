import { retryTakenPort } from './retry-taken-port.ts';

/** Returns a start that fails this many times. */
function refuse(words: string, times: number) {
  let starts = 0;
  const start = (): Promise<string> => {
    starts += 1;
    return starts > times ? Promise.resolve('started') : Promise.reject(new Error(words));
  };
  return { start, count: () => starts };
}

describe('a port for a server', () => {
  it.each([
    'could not bind IPv4 address "127.0.0.1": Address already in use',
    'Error listening on port: 127.0.0.1:4222, "listen tcp 127.0.0.1:4222: bind: address already in use"',
    'driver failed programming external connectivity: Bind for 127.0.0.1:5432 failed: port is already allocated',
  ])('is replaced if it was taken meanwhile: %s', async (words) => {
    const { start, count } = refuse(words, 2);
    expect([await retryTakenPort(start), count()]).toEqual(['started', 3]);
  });

  it('does not hide other errors or a permanent one', async () => {
    const broken = refuse('no space left on device', 100);
    await expect(retryTakenPort(broken.start)).rejects.toThrow('no space left');
    expect(broken.count()).toBe(1);
    await expect(retryTakenPort(refuse('Address already in use', 100).start)).rejects.toThrow('in use');
  });
});
