import { listOperands, type Field, type Input } from './shell-program.ts';

/** Returns the output of `echo`, `printf`, `cat` or `tee`; undefined if it is unknown, and for all other programs. */
export function printText(program: string, fields: readonly Field[], input: Input): string | undefined {
  const texts = fields.map(({ text }) => text);
  if (program === 'echo') return printEcho(texts);
  if (program === 'printf') return printFormat(texts);
  if (program === 'cat' || program === 'tee') {
    const isCopy = program === 'tee' || listOperands(fields).every(({ text }) => text === '-');
    return isCopy && input.kind === 'text' ? input.text : undefined;
  }
  return undefined;
}

function printEcho(texts: readonly string[]): string {
  const begin = texts.findIndex((text) => !/^-[neE]+$/.test(text));
  const words = begin === -1 ? [] : texts.slice(begin);
  const isEscaped = texts.slice(0, words.length === 0 ? texts.length : begin).some((text) => text.includes('e'));
  const line = words.join(' ');
  return `${isEscaped ? unescape(line) : line}\n`;
}

function printFormat(texts: readonly string[]): string | undefined {
  const [format = '', ...values] = texts[0] === '--' ? texts.slice(1) : texts;
  if (format === '-v') return '';
  const isPlain = !/%[^sbdiq%]/.test(format);
  if (!isPlain) return undefined;
  const places = format.match(/%[sbdiq]/g)?.length ?? 0;
  const rounds = places === 0 ? 1 : Math.max(1, Math.ceil(values.length / places));
  let next = 0;
  let printed = '';
  for (let round = 0; round < rounds; round += 1) {
    printed += unescape(format).replaceAll(/%([sbdiq%])/g, (_, kind: string) => {
      if (kind === '%') return '%';
      const value = values[next++] ?? '';
      return kind === 'b' ? unescape(value) : value;
    });
  }
  return printed;
}

const NAMED: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '\\': '\\',
  '"': '"',
  "'": "'",
  e: '\u001b',
};

function unescape(text: string): string {
  return text.replaceAll(/\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|0?([0-7]{1,3})|(.))/gs, (whole, ...groups) => {
    const [hex, unicode, octal, sign] = groups as (string | undefined)[];
    if (hex !== undefined || unicode !== undefined) return String.fromCharCode(parseInt(hex ?? unicode ?? '', 16));
    if (octal !== undefined) return String.fromCharCode(parseInt(octal, 8));
    return NAMED[sign ?? ''] ?? whole;
  });
}
