import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { CliContext } from './cli-context.ts';
import { buildProgram } from './program.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const PAGES = globSync(
  '{README,docs/*,docs/{use,operate,contract}/*,docs/operate/runbooks/*,tools/cli/*,deploy/ci/*}.md',
  { cwd: ROOT },
);

/** Returns true for the words of a command; further words after the last command are its arguments. */
function isCommand(command: Command, [word = '', ...rest]: readonly string[]): boolean {
  if (command.commands.length === 0 || word === '' || word.startsWith('-')) return true;
  const found = command.commands.find((one) => one.name() === word || one.aliases().includes(word));
  return found === undefined ? command.registeredArguments.length > 0 : isCommand(found, rest);
}

describe('a steward command named on a page', () => {
  it('exists', () => {
    const program = buildProgram({ output: {} } as CliContext, '0');
    const named = PAGES.flatMap((file) =>
      [...readFileSync(resolve(ROOT, file), 'utf8').matchAll(/(?:`|^|&& )(?:npx )?steward ([a-z][a-z -]*)/gm)].map(
        ([, words = '']) => ({ file, words: words.trim().split(' ') }),
      ),
    );
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter(({ words }) => !isCommand(program, words)).map(({ file, words }) => [file, ...words])).toEqual(
      [],
    );
    expect(isCommand(program, ['flow', 'no-such-command'])).toBe(false);
  });
});
