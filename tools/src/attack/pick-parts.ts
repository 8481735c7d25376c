import { attackAnswers } from './answers/attack-answers.ts';
import { attackRequests } from './bombs/attack-requests.ts';
import { attackSlowly } from './bombs/attack-slowly.ts';
import { attackCredentials } from './credentials/attack-credentials.ts';
import { attackPages } from './stored-text/attack-pages.ts';
import type { AttackReport, AttackTarget } from './target.ts';

type Attack = (target: AttackTarget) => Promise<AttackReport>;

const PARTS: Readonly<Record<string, Attack>> = {
  credentials: attackCredentials,
  requests: (target) => attackRequests(target),
  slow: attackSlowly,
  answers: (target) => attackAnswers(target),
  pages: attackPages,
};

const HELP = `npm run attack [-- PART ...]

Starts its own suite and attacks it. Every line names one attempt; BREACH marks one that was not refused.

  credentials  calls every route with every credential that must not reach it; no governed row may change
  requests     sends bodies designed to cost memory and time to every protocol, and measures how long another account waits meanwhile
  slow         sends requests at one byte per second to every protocol; the service ends each within a minute
  answers      the same attacks in answers of tool servers and model providers
  pages        stores hostile text in every field, then opens every page of the console in Chromium (CHROMIUM_PATH)

Without a name all of them run, in that order. Exit code: 0; 1 for a breach; 2 for an unknown name.`;

/**
 * Returns the named parts, or all of them; prints the help and ends the process if requested, or for an unknown name.
 */
export function pickParts(names: readonly string[]): [string, Attack][] {
  if (names.includes('--help') || names.includes('-h')) {
    console.log(HELP);
    process.exit(0);
  }
  const unknown = names.find((name) => !Object.hasOwn(PARTS, name));
  if (unknown !== undefined) {
    console.error(`"${unknown}" is no part\n\n${HELP}`);
    process.exit(2);
  }
  return Object.entries(PARTS).filter(([name]) => names.length === 0 || names.includes(name));
}
