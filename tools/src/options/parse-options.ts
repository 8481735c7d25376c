import { parseArgs, type ParseArgsConfig } from 'node:util';
import { describeError } from '../describe-error.ts';

type Declared = NonNullable<ParseArgsConfig['options']>;
type Values<Options extends Declared> = ReturnType<typeof parseArgs<{ options: Options }>>['values'];

/** Declares an option that has a value and a default. */
export const valued = (otherwise: string) => ({ type: 'string', default: otherwise }) as const;

/** Declares an option without a value. */
export const FLAG = { type: 'boolean', default: false } as const;

/**
 * Parses the command line, and returns the result of `read`. For --help, prints the help and ends the process; for an
 * invalid command line, prints the error and the help on stderr, and exits with 2.
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
