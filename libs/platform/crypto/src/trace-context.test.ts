import { beginTrace, continueTrace, nextSpan, readTraceId } from './trace-context.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';
const build = ({ version = '00', trace = TRACE, span = SPAN, flags = '01', rest = '' } = {}) =>
  `${version}-${trace}-${span}-${flags}${rest}`;
const FORM = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-0[01]$/;

describe('an incoming trace context (API-18)', () => {
  it.each([
    ['as it is made today', build(), '01'],
    ['not sampled', build({ flags: '00' }), '00'],
    ['with flags nobody knows yet, of which none goes on', build({ flags: 'fe' }), '00'],
    ['of a later version', build({ version: 'fe' }), '01'],
    ['of a later version with more fields', build({ version: '01', rest: '-what-else' }), '01'],
  ])('%s is continued with the same trace, a new span and version 00', (_what, header, flags) => {
    const continued = continueTrace(header);
    expect(continued).toMatch(FORM);
    expect(continued.slice(0, 36)).toBe(`00-${TRACE}-`);
    expect(continued.slice(36, 52)).not.toBe(SPAN);
    expect(continued.slice(53)).toBe(flags);
    expect(readTraceId(header)).toBe(TRACE);
  });

  it.each<[string, unknown]>([
    ['missing', undefined],
    ['empty', ''],
    ['sent twice', `${build()}, ${build()}`],
    ['handed over as a list', [build()]],
    ['of version ff', build({ version: 'ff' })],
    ['of no version', build({ version: '0' })],
    ['of a trace id of zeros', build({ trace: '0'.repeat(32) })],
    ['of a span id of zeros', build({ span: '0'.repeat(16) })],
    ['of upper case', build().toUpperCase()],
    ['of other signs', build({ trace: 'g'.repeat(32) })],
    ['too short', build().slice(0, -1)],
    ['of version 00 and too long', build({ rest: '-00' })],
    ['of a later version and glued together', build({ version: '01', rest: '00' })],
    ['with a line behind it', `${build()}\n`],
    ['very long', build({ rest: 'x'.repeat(100_000) })],
  ])('%s, is not an error: a new trace begins', (_what, header) => {
    expect(readTraceId(header)).toBeUndefined();
    const begun = continueTrace(header);
    expect(begun).toMatch(FORM);
    expect(begun).not.toContain(TRACE);
  });
});

describe('a new trace', () => {
  it('differs each time, and survives a round trip', () => {
    const begun = Array.from({ length: 1000 }, beginTrace);
    for (const one of begun) expect(one).toMatch(FORM);
    expect(new Set(begun.map(readTraceId)).size).toBe(1000);
    expect(new Set(begun.map((one) => one.slice(36, 52))).size).toBe(1000);
  });

  it('continues in new spans, with its flags', () => {
    const first = build({ flags: '00' });
    const spans = Array.from({ length: 1000 }, () => nextSpan(first));
    for (const one of spans) expect(one).toMatch(FORM);
    expect(new Set(spans.map((one) => `${one.slice(0, 36)}${one.slice(52)}`))).toEqual(new Set([`00-${TRACE}--00`]));
    expect(new Set([first, ...spans]).size).toBe(1001);
  });
});
