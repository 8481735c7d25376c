/** Returns the variables that a test passes to its processes: the search path, and the cache of compiled code. */
export function bareEnvironment(): Record<string, string> & { PATH: string } {
  const { PATH = '', NODE_COMPILE_CACHE } = process.env;
  return { PATH, ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }) };
}
