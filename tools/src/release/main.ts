import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { WORKSPACE_ROOT } from '../workspace.ts';
import { keepProduction } from './keep-production.ts';
import { isAllowed, listLicenses, renderLicenses, type Sbom } from './list-licenses.ts';

/**
 * Runs `npm run sbom`: writes the bill of materials of the production dependencies (CycloneDX, `dist/sbom.cdx.json`),
 * and the licenses of its packages (`dist/licenses.md`). Exits with 1 if a package has a license that is not on the
 * list.
 */
const bill = execFileSync(
  'npm',
  ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--include', 'dev', '--package-lock-only'],
  {
    cwd: WORKSPACE_ROOT,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  },
);
const used = keepProduction(JSON.parse(bill) as Sbom);
const packages = listLicenses(used);
const directory = resolve(WORKSPACE_ROOT, 'dist');
mkdirSync(directory, { recursive: true });
writeFileSync(resolve(directory, 'sbom.cdx.json'), `${JSON.stringify(used, null, 2)}\n`);
writeFileSync(resolve(directory, 'licenses.md'), renderLicenses(packages));
const refused = packages.filter(({ license }) => !isAllowed(license));
for (const { name, version, license } of refused) console.error(`${name} ${version} has the licence "${license}"`);
if (refused.length > 0) process.exitCode = 1;
else console.log(`wrote dist/sbom.cdx.json and dist/licenses.md: ${packages.length} packages`);
