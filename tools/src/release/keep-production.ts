import type { Sbom } from './list-licenses.ts';

/** Packages that `npm start` uses to build the apps and the console. No bundle and no image contains them. */
const BUILD_TOOLS: ReadonlySet<string> = new Set(['@vitejs/plugin-react', 'esbuild', 'typescript', 'vite']);

/**
 * Property that marks packages needed only by development dependencies; `npm sbom --omit dev` drops every package that
 * any workspace lists as a development dependency.
 */
const DEVELOPMENT = 'cdx:npm:package:development';

/**
 * Excludes packages that only developers need, the tools that build the suite, and the packages that only those need.
 */
export function keepProduction<Bill extends Sbom>(bill: Bill): Bill {
  const uses = new Map(bill.dependencies.map(({ ref, dependsOn = [] }) => [ref, dependsOn]));
  const reach = (refs: readonly string[]): Set<string> => {
    const reached = new Set<string>();
    const next = [...refs];
    for (let ref = next.pop(); ref !== undefined; ref = next.pop()) {
      if (reached.has(ref)) continue;
      reached.add(ref);
      next.push(...(uses.get(ref) ?? []).filter((used) => !tools.has(used) && !ofDevelopers.has(used)));
    }
    return reached;
  };
  const tools = new Set(bill.components.flatMap((one) => (BUILD_TOOLS.has(readName(one)) ? [one['bom-ref']] : [])));
  const ofDevelopers = new Set(bill.components.flatMap((one) => (isOfDevelopers(one) ? [one['bom-ref']] : [])));
  const ofTools = reach([...tools]);
  const others = reach([...uses.keys()].filter((ref) => !ofTools.has(ref) && !ofDevelopers.has(ref)));
  const isKept = (ref: string): boolean => !ofDevelopers.has(ref) && (!ofTools.has(ref) || others.has(ref));
  return {
    ...bill,
    components: bill.components.filter((one) => isKept(one['bom-ref'])),
    dependencies: bill.dependencies
      .filter(({ ref }) => isKept(ref))
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter(isKept) })),
  };
}

/** Returns the full name of a package, whose scope is stored in a separate field. */
function readName({ name, group }: Sbom['components'][number]): string {
  return group === undefined || name.startsWith('@') ? name : `${group}/${name}`;
}

function isOfDevelopers({ properties = [] }: Sbom['components'][number]): boolean {
  return properties.some(({ name, value }) => name === DEVELOPMENT && value === 'true');
}
