import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const DOCUMENTS = '{*,.github/**/*,.gitlab/**/*,docs/**/*,deploy/**/*,apps/**/*,libs/**/*,tools/**/*}.md';
/**
 * Files that refer to documents by their path from the root, such as `docs/use/cli.md`: code, deployment settings and
 * pages.
 */
const NAMING = [
  '{*,.ci/*,.github/**/*,deploy/**/*,docs/**/*}.{md,yml,yaml,js,mjs,conf,sql}',
  '{.gitattributes,.prettierignore,.ci/run,deploy/**/.env.example,.github/CODEOWNERS}',
  '{apps,libs,tools}/**/*.{ts,tsx,js,mjs,md,yaml,sh}',
];
/**
 * Matches files that name other paths: changelogs and decisions describe earlier states; tests and samples contain
 * paths of their own.
 */
const NAMES_OTHERS =
  /^(?:CHANGELOG\.md|docs\/reference\/changes-before-|docs\/develop\/adr\/)|\.test\.tsx?$|\/fixtures\/|^tools\/bench\/relevance\//;
const EXCLUDED = new Set(['node_modules', 'out-tsc', 'dist', 'build', 'tmp', '__generated__']);
const LINK = /\]\(([^)\s]+)\)/g;
/** Matches names that the reader has to fill in: `NNNN-title.md`. */
const PLACEHOLDER = /\/(?!README)[A-Z]{2,}/;
const NAMED = /(?<![\w/.:@-])docs\/(?!api\b)[\w/-]+(?:\.[a-z]+)*/g;

/** Returns one line for each relative link in a document whose target file or heading does not exist. */
export function listBrokenLinks(root: string): string[] {
  const read = (file: string): string => readFileSync(file, 'utf8');
  const headings = new Map<string, ReadonlySet<string>>();
  const headingsOf = (file: string): ReadonlySet<string> => {
    const known = headings.get(file) ?? listAnchors(read(file));
    headings.set(file, known);
    return known;
  };
  return list(root, [DOCUMENTS]).flatMap((file) => {
    const path = resolve(root, file);
    const targets = [...withoutCode(read(path)).matchAll(LINK)].map(([, target = '']) => target);
    return targets
      .filter((target) => !/^[a-z]+:/.test(target))
      .flatMap((target) => {
        const [to = '', heading] = target.split('#');
        const found = to === '' ? path : resolve(dirname(path), to);
        if (!existsSync(found)) return [`${file} links to ${target}, which is not there`];
        if (heading === undefined || !found.endsWith('.md') || headingsOf(found).has(heading)) return [];
        return [`${file} links to ${target}: the page has no such heading`];
      });
  });
}

/** Returns one line for each path in docs that code, a deployment or a page mentions and that does not exist. */
export function listMissingPages(root: string): string[] {
  return list(root, NAMING)
    .filter((file) => !NAMES_OTHERS.test(file))
    .flatMap((file) => {
      const names = new Set(readFileSync(resolve(root, file), 'utf8').match(NAMED));
      return [...names]
        .map((name) => name.replace(/-$/, ''))
        .filter((name) => !PLACEHOLDER.test(name) && globSync(`${name}{,-*,.md}`, { cwd: root }).length === 0)
        .map((name) => `${file} names ${name}, which is not there`);
    });
}

function list(root: string, patterns: readonly string[]): string[] {
  const exclude = (name: string): boolean => EXCLUDED.has(name.split('/').at(-1) ?? '');
  return [...new Set(globSync(patterns, { cwd: root, exclude }))].sort();
}

/**
 * Lists the anchors that a code host generates from headings: lower case, no punctuation, `-` for spaces, `-1` after a
 * repeated name.
 */
function listAnchors(text: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, title = ''] of withoutCode(text).matchAll(/^#+ +(.+?) *$/gm)) {
    const name = title
      .toLowerCase()
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-');
    let anchor = name;
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${name}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

function withoutCode(text: string): string {
  return text.replaceAll(/^( *)```.*?^\1```/gms, '');
}
