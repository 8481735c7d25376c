import type { Command } from 'commander';
import type { CliContext } from './cli-context.ts';
import { buildProgram } from './program.ts';

/** Verbs with which the help of a command begins. If a command uses another verb, the verb has to be added here. */
const VERBS =
  /^(?:accept|act|add|answer|apply|approve|ask|cancel|change|check|compare|connect|create|decline|delete|disconnect|end|export|find|import|let|limit|list|log in|log out|make|manage|merge|pause|print|process|read|receive|register|reload|replace|report|restore|resume|retire|run|save|search|set|show|start|stop|suspend|test|wait|compute|send)\b/i;
const FRAGMENT = /^(?:of|by|as|it|its|them|what|who|whose|which|where|when|how|why|not)\b/i;

const listCommands = (command: Command): Command[] => [command, ...command.commands.flatMap(listCommands)];
const commands = listCommands(buildProgram({ output: {} } as CliContext, '0')).filter(
  (command) => command.description() !== '',
);

describe('the help of the command line', () => {
  it('uses the imperative for commands', () => {
    const described = commands.map((command) => `${command.name()}: ${command.description()}`);
    expect(described.length).toBeGreaterThan(70);
    expect(described.filter((text) => !VERBS.test(text.replace(/^[\w-]+: /, '')))).toEqual([]);
  });

  it('describes the values of options and arguments', () => {
    const values = commands.flatMap(({ options, registeredArguments }) => [...options, ...registeredArguments]);
    expect(values.length).toBeGreaterThan(200);
    expect(values.map(({ description }) => description).filter((text) => FRAGMENT.test(text))).toEqual([]);
  });
});
