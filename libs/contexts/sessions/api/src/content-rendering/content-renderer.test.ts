import { PassThrough } from 'node:stream';
import { withFakeTimers } from '@steward/async/testing';
import { createLogger } from '@steward/process';
import type { RenderedEntry, ContentBody, ContentRenderer } from '@steward/sessions';
import { createContentRenderer, type ContentRendererOptions } from './content-renderer.ts';
import { renderContent } from './render-content.ts';

const toBody = (result: unknown): ContentBody => ({
  kind: 'tool_call',
  rawBody: Buffer.from(JSON.stringify({ tool_name: 'x', arguments: {}, result })),
  captureContent: true,
});
/** Content that takes longest to flatten for its size: a JSON string with many names. */
const HEAVY = toBody({
  arguments: JSON.stringify(Object.fromEntries(Array.from({ length: 30_000 }, (_, i) => [`k${i}`, i]))),
});

describe('a large content body', () => {
  const renderers: ContentRenderer[] = [];
  /** One instance for all tests without options, since starting its thread takes longer than these tests. */
  let standing: ContentRenderer;
  const create = (options: Partial<ContentRendererOptions> = {}): ContentRenderer => {
    const logger = createLogger({ service: 'test', level: 'error', pretty: false, stream: new PassThrough() });
    const renderer = createContentRenderer({ logger, leastBytes: 0, timeoutMs: 60_000, ...options });
    renderers.push(renderer);
    return renderer;
  };
  beforeAll(() => {
    standing = create();
    renderers.length = 0;
  });
  afterEach(async () => {
    for (const renderer of renderers.splice(0)) await renderer.close();
  });
  afterAll(() => standing.close());

  it('is rendered in another thread with the same result, while this thread remains responsive', async () => {
    let turns = 0;
    // Timers, because immediates would use a processor that the other thread needs.
    const turning = setInterval(() => (turns += 1), 1);
    const rendered = await standing.render('a', HEAVY);
    clearInterval(turning);
    // Rendering on this thread would have blocked it at least once.
    expect(turns).toBeGreaterThan(10);
    expect(rendered).toEqual(renderContent(HEAVY));
  });

  it.each<[string, ContentBody['kind'], object]>([
    [
      'an interaction',
      'interaction',
      { model_alias: 'm', provider_name: 'p', request: { prompt: 'hi\u0000' }, response: 'yes' },
    ],
    [
      'a transcript',
      'transcript',
      {
        messages: [
          { role: 'user', content: 'Fix it', occurred_at: '2026-01-01T00:00:00Z' },
          { role: 'tool', content: [{ text: 'ä😀' }] },
        ],
      },
    ],
    ['nothing kept', 'interaction', { model_alias: 'm', provider_name: 'p', request: 'secret', response: 'secret' }],
  ])('of every kind keeps its words: %s', async (_what, kind, value) => {
    const body = { kind, rawBody: Buffer.from(JSON.stringify(value)), captureContent: _what !== 'nothing kept' };
    const rendered = await standing.render('a', body);
    expect(rendered).toEqual(renderContent(body));
    expect(JSON.stringify(rendered).includes('secret')).toBe(false);
  });

  it('is left to the caller if it is small', async () => {
    const renderer = create({ leastBytes: 1000 });
    expect(await renderer.render('a', toBody('small'))).toBeUndefined();
    expect(await renderer.render('a', toBody('small'), 10)).toEqual(renderContent(toBody('small')));
    expect(await standing.render('a', toBody('small'), 1000)).toBeUndefined();
  });

  it('waits only for bodies of its own account: an account that sends many bodies delays another account by one at most (LIM-37)', async () => {
    const order: string[] = [];
    const send = (account: string) => standing.render(account, toBody('text')).then(() => order.push(account));
    await Promise.all([...Array.from({ length: 6 }, () => send('greedy')), send('honest')]);
    expect(order.indexOf('honest')).toBeLessThanOrEqual(2);
  });

  it('is refused as unavailable if too many bodies are already waiting; the waiting ones are processed (LIM-18)', async () => {
    const renderer = create({ maxWaitingBytes: HEAVY.rawBody.length });
    const running = renderer.render('a', HEAVY);
    const waiting = renderer.render('a', HEAVY);
    await expect(renderer.render('b', HEAVY)).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 2 });
    expect(await Promise.all([running, waiting])).toHaveLength(2);
    expect(await renderer.render('b', HEAVY)).toHaveLength(1);
  });

  it('is the only one to fail if it crashes the thread or never ends; the next one is rendered', async () => {
    const renderer = create();
    const broken = { ...HEAVY, rawBody: Buffer.from('{') };
    const after = renderer.render('a', broken).catch((error: unknown) => error);
    const next = renderer.render('b', toBody('fine'));
    expect(await after).toMatchObject({ code: 'unavailable' });
    expect((await next)?.map((each: RenderedEntry) => each.search.text)).toEqual(['x\nfine']);
    await expect(create({ timeoutMs: 1 }).render('a', HEAVY)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('does not affect others if its result arrives after the timeout: the next body is rendered from its own bytes', async () => {
    await withFakeTimers(['setTimeout'], async (clock) => {
      const renderer = create({ timeoutMs: 1 });
      await renderer.render('a', toBody('the thread is there'));
      const late = renderer.render('a', toBody('words of a')).catch((error: unknown) => error);
      const next = renderer.render('b', toBody('words of b'));
      // Long enough that the thread's response to a short text has arrived, but has not been read, when the timeout
      // expires.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500);
      // The timeout applies to this body only; the timeout of the next body starts with that body.
      clock.tick(1);
      expect((await next)?.map((each: RenderedEntry) => each.search.text.slice(0, 40))).toEqual(['x\nwords of b']);
      expect(await late).toMatchObject({ code: 'unavailable' });
    });
  });

  it('is rendered in a new thread after the idle thread was ended', async () => {
    const renderer = create({ idleMs: 1 });
    for (let round = 0; round < 3; round += 1) {
      expect(await renderer.render('a', toBody('again'))).toHaveLength(1);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  });
});
