import type { Page } from 'playwright-core';

/** Actions of a console page that are forbidden, one line each. */
export interface PageProblems {
  readonly problems: string[];
  /**
   * Allows a request that a test expects to be refused; the browser itself logs an error on the console for each one.
   */
  expectRefusal(pathname: string): void;
  /** Allows failed requests, in a test in which the service is unavailable. */
  expectOutage(): void;
  /** Allows the page to open a page of this origin. */
  expectVisit(origin: string): void;
}

/** Monitors errors of scripts, errors on the console (including policy violations) and requests to other hosts. */
export function watchPage(page: Page, origin: string): PageProblems {
  const problems: string[] = [];
  // Without a session, the service refuses these requests; the navigation counts are requested automatically, possibly
  // just as a session ends.
  const refusals = new Set(['/api/v1/auth/session/refresh', '/api/v1/auth/session', '/api/v1/overview']);
  const visited = new Set([origin]);
  let isAway = false;
  page.on('pageerror', (error) => problems.push(`error in the page: ${error.stack ?? error.message}`));
  page.on('console', (message) => {
    if (message.type() !== 'error') return;
    const { url } = message.location();
    const isRefusal = message.text().startsWith('Failed to load resource') && refusals.has(readPathname(url));
    const isOutage = isAway && message.text().startsWith('Failed to load resource');
    if (!isRefusal && !isOutage) problems.push(`error on the console: ${message.text()} (${url})`);
  });
  page.on('request', (request) => {
    const url = request.url();
    const isExpected = [...visited].some((each) => url.startsWith(`${each}/`));
    if (!isExpected && !/^(?:data|blob|about):/.test(url)) problems.push(`request to ${url}`);
  });
  return {
    problems,
    expectRefusal: (pathname) => void refusals.add(pathname),
    expectOutage: () => void (isAway = true),
    expectVisit: (other) => void visited.add(other),
  };
}

function readPathname(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : url;
}
