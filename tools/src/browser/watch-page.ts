import type { Page } from 'playwright-core';

/** What a page did that no page of the console may do, a line each. */
export interface PageProblems {
  readonly problems: string[];
  /** Requests whose refusal a test is about: the browser itself writes an error for each to the console. */
  expectRefusal(pathname: string): void;
  /** The service goes away in this test: requests that fail for it are what it is about. */
  expectOutage(): void;
  /** Somebody goes to a page of this origin in this test, on purpose. */
  expectVisit(origin: string): void;
}

/** Watches for errors of scripts, errors on the console (violations of the policy among them) and requests to anybody else. */
export function watchPage(page: Page, origin: string): PageProblems {
  const problems: string[] = [];
  // Whoever opens the console without a session is told so by the service; the counts of the rail are asked for by themselves,
  // also in the moment in which a session ends.
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
