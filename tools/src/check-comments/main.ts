import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseOptions, valued } from '../options/parse-options.ts';
import { readCount } from '../options/read-numbers.ts';
import { WORKSPACE_ROOT } from '../workspace.ts';
import { drawSentences } from './draw-sentences.ts';
import { judgeApiText } from './judge-api-text.ts';
import { judgeComment } from './judge-comment.ts';
import { listApiTexts } from './list-api-texts.ts';
import { listSources, listSourceTexts } from './list-workspace-texts.ts';

const HELP = `npm run check:comments [-- --draw COUNT --seed SEED]

Finds comments, test titles and texts of the API that begin without a subject or a verb, or use private terms.

  --draw COUNT  print COUNT sentences for a reader to judge instead: equally many from the API, the console, the
                command line, other messages in code, comments and test titles
  --seed SEED   another seed draws other sentences (default 1)`;

const OPENAPI = 'docs/reference/openapi.json';

const { draw, seed } = parseOptions(process.argv.slice(2), {
  help: HELP,
  options: { draw: valued(''), seed: valued('1') },
  read: (values) => ({ draw: values.draw === '' ? undefined : readCount('draw', values.draw), seed: values.seed }),
});
const apiTexts = listApiTexts(JSON.parse(readFileSync(resolve(WORKSPACE_ROOT, OPENAPI), 'utf8')) as object);
const sourceTexts = listSources().flatMap(listSourceTexts);
if (draw === undefined) check();
else {
  const placed = apiTexts.map(({ place, text }) => ({ kind: 'api', place, text }));
  for (const { kind, place, text } of drawSentences([...placed, ...sourceTexts], draw, seed))
    console.log(`${kind}\t${place}\t${text}`);
}

/** Prints the faults of comments, test titles and texts of the API. */
function check(): void {
  const judged = sourceTexts.filter(({ kind }) => kind === 'comment' || kind === 'title');
  const faults = [
    ...judged.map(({ place, text }) => ({ place, fault: judgeComment(text) })),
    ...apiTexts.map(({ place, text, isSummary }) => ({
      place: `${OPENAPI} ${place} "${text}"`,
      fault: judgeApiText(text, isSummary),
    })),
  ].filter(({ fault }) => fault !== undefined);
  for (const { place, fault } of faults) console.error(`${place}: ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
  else console.log(`${judged.length + apiTexts.length} comments, test titles and texts of the API are in order`);
}
