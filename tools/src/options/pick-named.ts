/** The one of `named` that the command line names first, and its own words; says which there are and ends the process otherwise. */
export function pickNamed<One>(
  command: string,
  named: Readonly<Record<string, One>>,
): { readonly picked: One; readonly args: readonly string[] } {
  const [name = '', ...args] = process.argv.slice(2);
  const picked = named[name];
  if (picked === undefined) {
    console.error(`${command} -- NAME [options], with NAME one of: ${Object.keys(named).join(', ')}`);
    process.exit(2);
  }
  return { picked, args };
}
