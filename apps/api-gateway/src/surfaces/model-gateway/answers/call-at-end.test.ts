import { once } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { passStream } from '@steward/http';
import { callAtEnd } from './call-at-end.ts';
import { passAnswer } from './pass-answer.ts';

/** Passes a response on whose end waits until `goOn` is called. */
function start(body: Readable) {
  let goOn = (): void => undefined;
  const waiting = new Promise<void>((resolve) => (goOn = resolve));
  const events: string[] = [];
  const { sent } = passAnswer({
    answer: { statusCode: 200, headers: {}, body },
    path: '/chat/completions',
    hider: undefined,
    inputBytes: 0,
    mostOutputTokens: Infinity,
    withholdsUsage: false,
    client: new AbortController().signal,
    collector: undefined,
    onFirstByte: () => undefined,
    beforeEnd: () => {
      events.push('waits');
      return waiting;
    },
    onEnd: () => void events.push('recorded'),
  });
  const { source, through } = callAtEnd({ status: 200, ...sent }, () => void events.push('left'));
  const to = new Writable({ write: (_chunk, _encoding, done) => done() });
  const closed = new Promise((resolve) => passStream(source, to, resolve, through));
  return { events, goOn, to, closed };
}

describe('the place of a model call', () => {
  it('is taken while the end of its response waits until calls have been stored (LIM-66)', async () => {
    const body = Readable.from([Buffer.from('{}')]);
    const { events, goOn, closed } = start(body);
    await once(body, 'close');
    expect(events).toEqual(['waits']);
    goOn();
    await closed;
    expect(events).toEqual(['waits', 'left', 'recorded']);
  });

  it.each(['provider', 'client'])('is free once the %s has disconnected', async (which) => {
    const body = new Readable({ read: () => undefined });
    const { events, to, closed } = start(body);
    (which === 'provider' ? body : to).destroy();
    await closed;
    expect(events).toEqual(['left', 'recorded']);
  });

  it('is free once a response of bytes was sent', () => {
    const events: unknown[] = [];
    const answer = {
      status: 200,
      bytes: Buffer.from('{}'),
      onSent: (isWritten: boolean) => void events.push(isWritten),
    };
    callAtEnd(answer, () => void events.push('left')).onSent(true);
    expect(events).toEqual(['left', true]);
  });
});
