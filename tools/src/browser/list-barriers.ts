import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Rules whose result can differ between the themes. */
const RULES_OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/**
 * Lists accessibility problems of the current page, one line each; if requested, only those concerning its colors. Axe
 * is injected through the debugger: the page's content security policy allows no external script.
 */
export async function listBarriers(page: Page, ofColours = false): Promise<string[]> {
  const debug = await page.context().newCDPSession(page);
  const evaluate = async (expression: string): Promise<unknown> => {
    const { result, exceptionDetails } = await debug.send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails !== undefined)
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value as unknown;
  };
  try {
    if ((await evaluate(`typeof axe`)) === 'undefined') await evaluate(`${AXE}; undefined`);
    // With the other kinds of results, axe would also describe every element that passed.
    const options = { runOnly: ofColours ? RULES_OF_COLOURS : STANDARDS, resultTypes: ['violations'] };
    const found = await evaluate(
      `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations.flatMap(({ id, help, nodes }) => nodes.map(({ target }) => id + ': ' + help + ' at ' + target.join(' '))))`,
    );
    return found as string[];
  } finally {
    await debug.detach();
  }
}
