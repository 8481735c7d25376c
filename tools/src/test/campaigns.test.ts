import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { WORKSPACE_ROOT } from '../workspace.ts';
import { CAMPAIGN_FILES } from './campaigns.ts';

describe('the list of campaigns', () => {
  it('contains every test file whose size depends on the kind of run', () => {
    const files = globSync('{apps,libs,tools}/**/*.test.ts', {
      cwd: WORKSPACE_ROOT,
      exclude: (name) => name === 'node_modules' || name === 'out-tsc',
    });
    const sized = files.filter((file) =>
      /\b(?:sizeCampaign|isTriedToday|seedCampaign)\b.* from '@steward\/testing'/.test(
        readFileSync(resolve(WORKSPACE_ROOT, file), 'utf8').replaceAll('\n', ' '),
      ),
    );
    expect(sized.toSorted()).toEqual(CAMPAIGN_FILES);
  });
});
