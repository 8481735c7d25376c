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

Starts a suite of its own and attacks it. Every line says what was tried; BREACH is something that was not refused.

  credentials  every route with every credential that must not reach it; no governed row may change
  requests     bodies that are made to cost memory and time, at every protocol; what another account waits meanwhile
  slow         requests at every protocol that go on a byte a second; the service ends each (a minute)
  answers      servers of tools and models that answer so; what another account waits meanwhile
  pages        hostile text in every field, then every page of the console in a Chromium (CHROMIUM_PATH)

Without a name all of them run, in that order. Exit code: 0, 1 with a breach, 2 for a name that is none of these.`;

/** Returns the named parts, or all; prints the help and ends the process on request, or for an unknown name. */
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
