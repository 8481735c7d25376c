import { cleanText, createOutput, formatJson } from './output.ts';

function capture(env: Record<string, string> = {}, isTTY = false) {
  const written: string[] = [];
  const sink = { isTTY, write: (text: string) => written.push(text) };
  return { written, output: createOutput({ stdout: sink, stderr: sink, env }) };
}

describe('output', () => {
  it('prints no registered secret, on either stream, encoded or not', () => {
    const { output, written } = capture();
    output.keepSecret('p@ss word+1');
    output.line('sent p@ss word+1');
    output.note(`url ${encodeURIComponent('p@ss word+1')}`);
    expect(written).toEqual(['sent ***\n', 'url ***\n']);
  });

  it.each(['flw_', 'whsec_', 'stw_'])('prints no credential of the form %s, registered or not', (prefix) => {
    const { output, written } = capture();
    output.note(`error: unknown command '${prefix}${'aB3_-'.repeat(8)}'`);
    expect(written).toEqual(["error: unknown command '***'\n"]);
  });

  it('does not hide words that are too short to be secrets', () => {
    const { output, written } = capture();
    output.keepSecret('a');
    output.keepSecret('');
    output.line('a b a flw_x');
    expect(written).toEqual(['a b a flw_x\n']);
  });

  it('uses colors only on a terminal, and only if NO_COLOR is not set', () => {
    expect(capture({}, true).output.styles.bold('x')).toBe('\u001b[1mx\u001b[22m');
    expect(capture({}, false).output.styles.bold('x')).toBe('x');
    expect(capture({ NO_COLOR: '1' }, true).output.styles.bold('x')).toBe('x');
  });

  it('escapes external text so that it cannot control the terminal', () => {
    expect(cleanText('a\u001b[31mred\u001b[0m\u0007\rb\u202ec\n\td')).toBe('ared\\u{7}\\u{d}b\\u{202e}c\n\td');
    expect(cleanText('x\u001b]0;title\u0007y\u0085z')).not.toMatch(/[^\P{Cc}]/u);
    expect(formatJson({ text: '\u009b2J\u0007' })).toBe('{"text":"\\u009b2J\\u0007"}');
  });
});
