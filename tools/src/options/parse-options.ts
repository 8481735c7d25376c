import { parseArgs, type ParseArgsConfig } from 'node:util';
import { describeError } from '../describe-error.ts';

type Declared = NonNullable<ParseArgsConfig['options']>;
type Values<Options extends Declared> = ReturnType<typeof parseArgs<{ options: Options }>>['values'];

/** An option with a value, and what that is when the option is left out. */
export const valued = (otherwise: string) => ({ type: 'string', default: otherwise }) as const;

/** An option that is there or not. */
export const FLAG = { type: 'boolean', default: false } as const;

/**
 * What `read` makes of the command line. Prints the help and ends the process where --help was asked for; where the words are
 * off, says on stderr which, with the help, and ends it with 2.
 */
export function parseOptions<Options extends Declared, Read>(
  args: readonly string[],
  program: { readonly help: string; readonly options: Options; readonly read: (values: Values<Options>) => Read },
): Read {
  const options: Declared = { ...program.options, help: { type: 'boolean', short: 'h' } };
  try {
    const { values } = parseArgs({ args: [...args], options });
    if (values.help === true) {
      console.log(program.help);
      process.exit(0);
    }
    return program.read(values as Values<Options>);
  } catch (error) {
    console.error(`${describeError(error)}\n\n${program.help}`);
    process.exit(2);
  }
}
