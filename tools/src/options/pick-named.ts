/**
 * Returns the entry of `named` that the first argument names, and the remaining arguments; otherwise prints the choices
 * and ends the process, with 0 for --help.
 */
export function pickNamed<One>(
  command: string,
  named: Readonly<Record<string, One>>,
): { readonly picked: One; readonly args: readonly string[] } {
  const [name = '', ...args] = process.argv.slice(2);
  const picked = named[name];
  if (picked === undefined) {
    const help = `${command} -- NAME [options], with NAME one of: ${Object.keys(named).join(', ')}`;
    const isAsked = name === '--help' || name === '-h';
    if (isAsked) console.log(help);
    else console.error(help);
    process.exit(isAsked ? 0 : 2);
  }
  return { picked, args };
}
