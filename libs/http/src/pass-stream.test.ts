import { once } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { passStream, type Through } from './pass-stream.ts';

/** A receiver that keeps what it gets, and accepts it only after a turn of the event loop. */
class Receiver extends Writable {
  text = '';

  constructor() {
    super({ highWaterMark: 1 });
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString();
    setImmediate(done);
  }
}

/** Starts to pass a stream on; `ends` are the calls of `end` of the given `through`. */
function start(from: Readable, more: Partial<Through> = {}, to = new Receiver()) {
  const ends: (Error | undefined)[] = [];
  const through: Through = {
    pass(chunk, send, done) {
      send(chunk);
      done();
    },
    flush: (_send, done) => done(),
    end: (error) => void ends.push(error),
    ...more,
  };
  const closed = new Promise<Error | undefined>((resolve) => passStream(from, to, resolve, through));
  return { to, ends, closed };
}
const sendParts = (...parts: string[]) => Readable.from(parts.map((part) => Buffer.from(part)));

describe('a stream that is passed on', () => {
  it('arrives completely at a slow receiver, also if its source was paused before', async () => {
    const from = sendParts('one', 'two', 'three').pause();
    const { to, ends, closed } = start(from);
    expect([await closed, to.text, ends]).toEqual([undefined, 'onetwothree', [undefined]]);
  });

  it('is read piece by piece: the next one when the former has been passed on, and the end after the last', async () => {
    let open = 0;
    const passed = start(sendParts('one', 'two', 'three'), {
      pass(chunk, send, done) {
        expect((open += 1)).toBe(1);
        setImmediate(() => {
          open -= 1;
          send(chunk);
          done();
        });
      },
      flush(send, done) {
        send(Buffer.from('!'));
        setImmediate(done);
      },
    });
    expect([await passed.closed, passed.to.text]).toEqual([undefined, 'onetwothree!']);
  });

  it.each([
    ['fails', new Error('gone')],
    ['is closed', undefined],
  ])('closes its receiver if its source %s, and reports that at once', async (_what, error) => {
    const from = new Readable({ read: () => undefined });
    const { to, ends, closed } = start(from);
    from.destroy(error);
    const reported = await closed;
    expect([to.destroyed, ends]).toEqual([true, [reported]]);
    expect(reported?.message).toBe(error?.message ?? 'the source was closed before its end');
  });

  it('closes its source if its receiver is closed, and sends nothing that is passed on later', async () => {
    const from = sendParts('one', 'two');
    let goOn = (): void => undefined;
    const { to, ends, closed } = start(from, {
      pass(chunk, send, done) {
        goOn = () => {
          send(chunk);
          done();
        };
      },
    });
    await nextTurn();
    to.destroy();
    expect(await closed).toBeInstanceOf(Error);
    goOn();
    await nextTurn();
    expect([from.destroyed, to.text, ends.length]).toEqual([true, '', 1]);
  });

  it('is ended if its source had ended before', async () => {
    const from = sendParts('read before');
    await from.toArray();
    const { to, ends, closed } = start(from, {
      flush(send, done) {
        send(Buffer.from('!'));
        done();
      },
    });
    expect([await closed, to.text, ends]).toEqual([undefined, '!', [undefined]]);
  });

  it('reports once that its receiver is closed, also if that one has yet to emit so', async () => {
    const to = new Receiver();
    to.destroy();
    expect(to.closed).toBe(true);
    let reports = 0;
    passStream(new Readable({ read: () => undefined }), to, () => (reports += 1));
    await once(to, 'close');
    expect(reports).toBe(1);
  });

  it.each(['source', 'receiver'])('ends at once if its %s was closed before', async (which) => {
    const from = new Readable({ read: () => undefined });
    const to = new Receiver();
    const gone = which === 'source' ? from : to;
    gone.destroy();
    await once(gone, 'close');
    const { ends, closed } = start(from, {}, to);
    expect(await closed).toBeInstanceOf(Error);
    expect([from.destroyed, to.destroyed, ends.length]).toEqual([true, true, 1]);
  });
});
