import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { encodeSample, type CredentialSample } from '@steward/testing';
import { WORKSPACE_ROOT } from '../workspace.ts';
import { readGitleaksSamples } from './read-gitleaks-samples.ts';
import { readSecretlintSamples } from './read-secretlint-samples.ts';

const HELP = `node tools/src/credential-corpora/main.ts --gitleaks DIR --secretlint DIR

Writes the sample credentials that gitleaks and secretlint test their rules with to libs/testing/src/credential-corpora/.
DIR is a checkout of each; the rules of gitleaks are compiled (Go 1.19 or newer, no network) and print their samples.
Run it to adopt a newer release, and update the revisions in THIRD_PARTY_NOTICES.md.`;

const { values } = parseArgs({
  options: { gitleaks: { type: 'string' }, secretlint: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
});
if (values.help === true || values.gitleaks === undefined || values.secretlint === undefined) console.log(HELP);
else {
  write('gitleaks', readGitleaksSamples(values.gitleaks));
  write('secretlint', readSecretlintSamples(values.secretlint));
}

function write(name: string, samples: readonly CredentialSample[]): void {
  const file = resolve(WORKSPACE_ROOT, `libs/testing/src/credential-corpora/${name}.txt`);
  writeFileSync(file, samples.map((sample) => `${encodeSample(sample)}\n`).join(''));
  console.log(`${file}: ${samples.length} samples`);
}
