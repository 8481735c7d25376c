/** Parts of the format that are used here: https://cyclonedx.org/docs/1.5/json/. */
export interface Sbom {
  readonly components: readonly SbomComponent[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

interface SbomComponent {
  readonly 'bom-ref': string;
  readonly group?: string;
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
  readonly name: string;
  readonly version: string;
  readonly licenses?: readonly {
    readonly expression?: string;
    readonly license?: { readonly id?: string; readonly name?: string };
  }[];
}

interface Licensed {
  readonly components: readonly Omit<SbomComponent, 'bom-ref'>[];
}

export interface LicensedPackage {
  readonly name: string;
  readonly version: string;
  /** License as an SPDX expression; empty if the package has none. */
  readonly license: string;
}

/** Licenses that only require that their text be included. */
const ALLOWED: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
]);

/** Licenses of packages that declare none in their manifest, from their repository. */
const KNOWN: Readonly<Record<string, string>> = { 'humanize-number': 'MIT', only: 'MIT' };

/** Lists every package in the bill of materials once, by name. */
export function listLicenses({ components }: Licensed): LicensedPackage[] {
  const packages = components.map(({ name, version, licenses = [] }) => {
    const said = licenses
      .map(({ expression, license }) => expression ?? license?.id ?? license?.name ?? '')
      .join(' AND ');
    return { name, version, license: said === '' ? (KNOWN[name] ?? '') : said };
  });
  const unique = new Map(packages.map((one) => [`${one.name}@${one.version}`, one]));
  return [...unique.entries()].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, one]) => one);
}

/**
 * Returns true if a license is allowed. For an `AND`, every part must be allowed; for an `OR`, one part is sufficient.
 */
export function isAllowed(license: string): boolean {
  const parts = license.replaceAll(/[()]/g, '').split(' AND ');
  return parts.every((part) => part.split(' OR ').some((choice) => ALLOWED.has(choice.trim())));
}

export function renderLicenses(packages: readonly LicensedPackage[]): string {
  const rows = packages.map(({ name, version, license }) => `| ${name} | ${version} | ${license} |`);
  return [
    '# Licences of the packages in use',
    '',
    '| package | version | licence |',
    '| --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}
