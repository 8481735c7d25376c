import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const DOCUMENTS = '{*.md,docs/**/*.md,deploy/**/*.md}';
const LINK = /\]\(([^)\s]+)\)/g;

/** One line for each relative link of a document that leads to no file. */
export function listBrokenLinks(root: string): string[] {
  return globSync(DOCUMENTS, { cwd: root })
    .sort()
    .flatMap((file) => {
      const folder = dirname(resolve(root, file));
      const targets = [...readFileSync(resolve(root, file), 'utf8').matchAll(LINK)].map(([, target = '']) => target);
      return targets
        .filter((target) => !/^(?:[a-z]+:|#)/.test(target))
        .filter((target) => !existsSync(resolve(folder, target.split('#', 1)[0] ?? '')))
        .map((target) => `${file} links to ${target}, which is not there`);
    });
}
