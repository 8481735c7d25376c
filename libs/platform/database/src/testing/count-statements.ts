import type { KyselyPlugin } from 'kysely';

/** Counts the statements of a database that uses the plugin. */
export function countStatements() {
  let count = 0;
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      count += 1;
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };
  return { plugin, count: () => count };
}
