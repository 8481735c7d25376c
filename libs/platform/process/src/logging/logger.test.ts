import { Writable } from 'node:stream';
import { createLogger, type LoggerOptions } from './logger.ts';

const CANARY = 'canary-3fTq9ZxW';

function createCapturing(options: Partial<LoggerOptions> = {}) {
  const output: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      output.push(chunk.toString());
      done();
    },
  });
  const logger = createLogger({ service: 'test', level: 'info', pretty: false, stream, ...options });
  return { logger, output, parse: () => output.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

describe('log lines', () => {
  it('are one JSON object each, with time, level, event, service and fields', () => {
    const { logger, output, parse } = createCapturing();
    logger.info('delivery.attempted', { outcome: 'ok', duration_ms: 12 });
    logger.error('service.crashed', { error: new Error('two\nlines') });
    expect(output.every((line) => line.indexOf('\n') === line.length - 1)).toBe(true);
    const [first, second] = parse();
    expect(Object.keys(first ?? {})).toEqual(['time', 'level', 'event', 'service', 'outcome', 'duration_ms']);
    expect(first).toMatchObject({
      level: 'info',
      event: 'delivery.attempted',
      service: 'test',
      outcome: 'ok',
      duration_ms: 12,
    });
    expect(Date.parse(String(first?.['time']))).not.toBeNaN();
    expect(second).toMatchObject({ level: 'error', error: { message: 'two\nlines' } });
  });

  it('below the configured level are not written', () => {
    const { logger, parse } = createCapturing({ level: 'warn' });
    logger.debug('a.b');
    logger.info('a.b');
    logger.warn('c.d');
    logger.error('e.f');
    expect(parse().map((line) => line['event'])).toEqual(['c.d', 'e.f']);
  });

  it('below the configured level cost nothing: their fields are not read', () => {
    const { logger } = createCapturing({ level: 'info' });
    let reads = 0;
    const fields = {
      get watched() {
        reads += 1;
        return 1;
      },
    };
    logger.debug('a.b', fields);
    logger.child({ request_id: 'r1' }).debug('a.b', fields);
    expect(reads).toBe(0);
    logger.info('a.b', fields);
    expect(reads).toBe(1);
  });

  it('contain the fields of every parent, the nearest one taking precedence', () => {
    const { logger, parse } = createCapturing();
    logger.child({ request_id: 'r1', account_id: 'a1' }).child({ account_id: 'a2' }).info('a.b', { x: 1 });
    logger.info('c.d');
    expect(parse()[0]).toMatchObject({ request_id: 'r1', account_id: 'a2', x: 1 });
    expect(parse()[1]).not.toHaveProperty('request_id');
  });

  it('retain their standard parts even if a field has the same name', () => {
    const { logger, parse } = createCapturing();
    logger.info('message.handled', { message: 'chunk-written', level: 'x', event: 'x', time: 'x', timestamp: 't' });
    expect(parse()[0]).toMatchObject({
      event: 'message.handled',
      level: 'info',
      message: 'chunk-written',
      timestamp: 't',
    });
    expect(parse()[0]?.['time']).not.toBe('x');
  });

  it('in the readable format are one line with the same content', () => {
    const { logger, output } = createCapturing({ pretty: true });
    logger.info('a.b', { x: 1, list: [1], note: 'hi' });
    expect(output[0]).toMatch(/^\S+ INFO {2}test a\.b x=1 list=\[1\] note=hi\n$/);
  });
});

describe('secrets', () => {
  const value = { password: CANARY, error: new Error(`at ${CANARY}`), nested: [{ note: `Bearer ${CANARY}` }] };

  it.each([false, true])('do not appear in any line, through any field (pretty: %s)', (pretty) => {
    const { logger, output } = createCapturing({ pretty, secrets: [`postgres://u:${CANARY}@db/x`] });
    logger.info(`event ${CANARY}`, value);
    logger.child(value).warn('a.b', { [CANARY]: 1 });
    logger.child({ url: new URL(`https://u:${CANARY}@h/`) }).error('a.b', { big: 10n });
    expect(output).toHaveLength(3);
    expect(output.join('')).not.toContain(CANARY);
  });

  it('do not cause an error if a value cannot be serialized', () => {
    const { logger, output } = createCapturing();
    const loop: Record<string, unknown> = { toJSON: () => loop };
    loop['self'] = loop;
    expect(() => logger.info('a.b', { loop, f: () => 1, s: Symbol('x') })).not.toThrow();
    expect(output).toHaveLength(1);
  });
});
